type Props<Name extends string> = {
  legend: string
  hint: string
  /** Each with what it stands for, as far as there are words for that, and how it is written. */
  variables: readonly { name: Name; meaning: string | undefined; code: string }[]
  onInsert: (name: Name) => void
}

/** The variables that a text may have, each put in by a click. */
export function VariableList<Name extends string>({ legend, hint, variables, onInsert }: Props<Name>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-1.5">
        {variables.map(({ name, meaning, code }) => (
          <button
            key={name}
            type="button"
            onClick={() => onInsert(name)}
            className="inline-flex min-h-8 flex-wrap items-center gap-x-2 rounded-full px-3 py-1 text-note ring-1 ring-line-strong transition-colors ring-inset hover:bg-sunken"
          >
            {meaning && <span>{meaning}</span>}
            <code dir="ltr" className="text-xs break-all text-ink-2">
              {code}
            </code>
          </button>
        ))}
      </div>
      <p className="mt-2 text-xs leading-relaxed text-ink-3">{hint}</p>
    </fieldset>
  )
}
