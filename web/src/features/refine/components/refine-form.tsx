import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import type { CoverPictures } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { useRefusalWords } from '@/ui/generation/use-refusal-words'
import { useRefine } from '../api/refine'
import { type Mark, maskOf } from '../model/region'
import { RegionPicker } from './region-picker'

/** The server's limit, in characters. */
const LONGEST = 500
const EXAMPLES = ['darker', 'warmer', 'calmer', 'winter', 'closer', 'remove'] as const

type Region = {
  isPart: boolean
  setPart: (isPart: boolean) => void
  marks: readonly Mark[]
  setMarks: (marks: readonly Mark[]) => void
  brush: number
  setBrush: (brush: number) => void
}

/** What is to change, and where. */
export function RefineForm({ shown, region }: { shown: CoverPictures; region: Region }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const [change, setChange] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const box = useRef<HTMLTextAreaElement>(null)
  const refine = useRefine(shown.cover.id)
  const refusal = useRefusalWords()
  const { offer, words } = shown
  const { isPart, marks } = region
  const service = isPart ? offer.maskService : offer.service

  function fail(error: unknown) {
    if (isUnauthorized(error)) return
    if (error instanceof ApiError && Object.keys(error.fields).length > 0) setErrors(fieldMessages(error))
    else setErrors({ form: refusal(error) })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (refine.isPending) return
    const found = {
      ...(!change.trim() && { change: t('errors.field.no_change') }),
      ...(isPart && marks.length === 0 && { mask: t('errors.field.nothing_marked') }),
    }
    setErrors(found)
    if (found.change) box.current?.focus()
    if (Object.keys(found).length > 0) return
    const mask = isPart ? maskOf(marks, shown.artworkWidth / shown.artworkHeight) : null
    refine.mutate(
      { change: change.trim(), version: shown.version, mask },
      {
        onSuccess: () => {
          setChange('')
          region.setMarks([])
          region.setPart(false)
        },
        onError: fail,
      },
    )
  }
  function use(example: string) {
    setChange((now) => `${now.trim()}${now.trim() ? ' ' : ''}${example}`.slice(0, LONGEST))
    box.current?.focus()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <div>
        <Field
          label={t('refine.change')}
          hint={t('refine.changeHint')}
          error={errors.change}
          aside={`${number(change.length)} / ${number(LONGEST)}`}
        >
          {(aria) => (
            <Textarea
              {...aria}
              ref={box}
              rows={3}
              maxLength={LONGEST}
              value={change}
              onChange={({ target }) => setChange(target.value)}
            />
          )}
        </Field>
        <fieldset className="mt-3 min-w-0">
          <legend className="sr-only">{t('refine.examples')}</legend>
          <div className="flex flex-wrap gap-1.5">
            {EXAMPLES.map((name) => {
              const example = t(`refine.example.${name}`)
              return (
                <button
                  key={name}
                  type="button"
                  onClick={() => use(example)}
                  className="rounded-full px-3 py-1.5 text-start text-note text-ink-2 ring-1 ring-line-strong ring-inset hover:text-ink"
                >
                  {example}
                </button>
              )
            })}
          </div>
        </fieldset>
      </div>
      {offer.maskService === null ? (
        <p className="text-note text-ink-3">{t('refine.noMask')}</p>
      ) : (
        <div className="grid gap-3">
          <SegmentedControl
            legend={t('refine.where')}
            name="where"
            value={isPart ? 'part' : 'whole'}
            options={[
              { value: 'whole', label: t('refine.whole') },
              { value: 'part', label: t('refine.part') },
            ]}
            onChange={(where) => region.setPart(where === 'part')}
          />
          {isPart && (
            <RegionPicker
              marks={marks}
              onChange={region.setMarks}
              brush={region.brush}
              onBrush={region.setBrush}
              error={errors.mask}
            />
          )}
        </div>
      )}
      {words !== 'none' && (
        <p className="rounded-md bg-sunken px-3.5 py-3 text-note leading-relaxed text-ink-2">
          {t(`refine.words.${words}`)}
        </p>
      )}
      {errors.form && (
        <p role="alert" className="text-note text-danger">
          {errors.form}
        </p>
      )}
      <div>
        <Button
          type="submit"
          variant="accent"
          size="lg"
          className="w-full"
          pending={refine.isPending}
          pendingLabel={t('refine.submitting')}
        >
          {t('refine.submit')}
        </Button>
        <p className="mt-2.5 text-center text-xs leading-relaxed text-ink-3">
          {service && t('refine.by', { service })} {t('refine.cost')}
        </p>
      </div>
    </form>
  )
}
