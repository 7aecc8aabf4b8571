import { ArrowUp } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Genre, genres } from '@/lib/sample-covers'
import { promptDraft } from '@/lib/tab-draft'
import { Button } from '@/ui/button'
import { ChipGroup } from '@/ui/form/radio-group'

const PROMPT_LENGTH = 500

/** Where a visitor begins: what is typed here waits in the generator, whichever way leads through sign-in. */
export function Composer() {
  const { t } = useTranslation()
  const [draft] = useState(promptDraft.read)
  const [prompt, setPrompt] = useState(draft?.prompt ?? '')
  const [genre, setGenre] = useState<Genre | ''>(() => genres.find((key) => t(`genre.${key}`) === draft?.genre) ?? '')

  useEffect(() => {
    if (prompt || genre) promptDraft.save({ prompt, genre: genre && t(`genre.${genre}`) })
    else promptDraft.remove()
  }, [prompt, genre, t])

  function start(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    window.location.assign('/api/login')
  }

  return (
    <form
      className="mt-8 max-w-[38rem] rounded-xl bg-surface p-2 shadow-2 ring-1 ring-line focus-within:ring-line-strong"
      onSubmit={start}
    >
      <label className="sr-only" htmlFor="pitch">
        {t('landing.composer.label')}
      </label>
      <textarea
        id="pitch"
        rows={3}
        dir="auto"
        maxLength={PROMPT_LENGTH}
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) start(event)
        }}
        placeholder={t('landing.composer.placeholder')}
        className="block w-full resize-none rounded-lg bg-transparent px-3 pt-2.5 text-base leading-relaxed placeholder:text-ink-3"
      />
      <div className="flex items-end gap-3 p-1 pt-2">
        <div className="min-w-0 flex-1">
          <ChipGroup
            legend={t('landing.composer.genre')}
            hideLegend
            name="genre"
            value={genre}
            onChange={setGenre}
            options={genres.map((key) => ({ value: key, label: t(`genre.${key}`) }))}
            className="flex-nowrap overflow-x-auto py-0.5 [scrollbar-width:none] sm:flex-wrap"
          />
        </div>
        <Button
          type="submit"
          variant="accent"
          size="icon"
          className="size-11 rounded-lg"
          aria-label={t('landing.composer.submit')}
        >
          <ArrowUp />
        </Button>
      </div>
    </form>
  )
}
