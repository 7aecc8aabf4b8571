import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import type { Idea } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Field, Textarea } from '@/ui/form/field'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { Skeleton } from '@/ui/states'
import { useElapsed } from '../hooks/use-elapsed'
import { lengthOf } from '../model/brief'
import { type IdeasControl, LONGEST } from './use-ideas'

type Props = { ideas: IdeasControl; onChoose: (idea: Idea) => void; onClose: () => void }

/** Takes a blurb and shows four ideas for its cover. */
export default function IdeasDialog({ ideas, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  const { text, setText, found, ask, cancel } = ideas
  const length = lengthOf(text)
  const long = length > LONGEST
  const error = long ? t('generator.invalid.long', { max: LONGEST }) : ask.isError ? errorMessage(ask.error) : undefined
  // our own reading finds the same in the same words
  const settled = found !== undefined && !found.provider && !found.isStandIn && ask.variables === text
  const close = () => {
    cancel()
    onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => open || close()}>
      <DialogContent title={t('generator.ideas.title')} description={t('generator.ideas.lead')} className="max-w-3xl">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // the generator's own form stands around this one
            event.stopPropagation()
            if (!ask.isPending && !settled && !long) ask.mutate(text)
          }}
        >
          <Field
            label={t('generator.ideas.label')}
            error={error}
            aside={
              <span dir="ltr" className={cn(long && 'font-medium text-danger')}>
                {length}/{LONGEST}
              </span>
            }
          >
            {(aria) => (
              <Textarea
                rows={6}
                dir="auto"
                {...aria}
                value={text}
                onChange={({ target }) => setText(target.value)}
                placeholder={t('generator.ideas.placeholder')}
                className="block min-h-36"
              />
            )}
          </Field>
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <Button type="submit" pending={ask.isPending} disabled={ask.isPending || settled || !text.trim() || long}>
              {t(found ? 'generator.ideas.again' : 'generator.ideas.suggest')}
            </Button>
            {ask.isPending && (
              <>
                <Button variant="ghost" onClick={cancel}>
                  {t('common.cancel')}
                </Button>
                <Reading at={ask.submittedAt} />
              </>
            )}
          </div>
        </form>
        <div aria-live="polite" className="mt-6">
          {ask.isPending ? (
            <div className="grid gap-4 sm:grid-cols-2">
              {[0, 1, 2, 3].map((place) => (
                <Skeleton key={place} className="h-52 rounded-lg" />
              ))}
            </div>
          ) : (
            found && (
              <>
                <p className="mb-4 text-note text-ink-2">
                  {found.provider
                    ? t('generator.ideas.by.model', { provider: found.provider })
                    : t(found.isStandIn ? 'generator.ideas.by.standIn' : 'generator.ideas.by.own')}
                </p>
                <ul className="grid gap-4 sm:grid-cols-2">
                  {found.ideas.map((idea) => (
                    <IdeaCard key={idea.composition} idea={idea} onChoose={() => onChoose(idea)} />
                  ))}
                </ul>
              </>
            )
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}

/** How long the text is being read, from the second second on. `at` is a Unix time in ms. */
function Reading({ at }: { at: number }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const elapsed = useElapsed(Date.now() - at, performance.now())
  const count = Math.floor(elapsed / 1000)
  if (count < 1) return null
  return (
    <p className="text-note text-ink-2 tabular-nums">
      {t('generator.ideas.reading')} {t('generator.progress.seconds', { count, formatted: number(count) })}
    </p>
  )
}

function IdeaCard({ idea, onChoose }: { idea: Idea; onChoose: () => void }) {
  const { t } = useTranslation()
  const genreName = useGenreName()
  const { composition, subject, mood, palette, description, genre, titles } = idea
  const name = t(`generator.ideas.composition.${composition}`)
  return (
    <li className="flex flex-col overflow-hidden rounded-lg bg-surface ring-1 ring-line ring-inset">
      <div aria-hidden className="flex h-3">
        {palette.map((color) => (
          <span key={color} className="flex-1" style={{ background: color }} />
        ))}
      </div>
      <div className="flex flex-1 flex-col p-4">
        <h3 className="font-medium">{name}</h3>
        <p className="mt-0.5 text-note text-ink-3">
          <bdi>{subject}</bdi>
          {mood && ' · '}
          <bdi>{mood}</bdi>
          {genre && ' · '}
          <bdi>{genreName(genre)}</bdi>
        </p>
        <p dir="auto" className="mt-2 text-sm leading-relaxed text-ink-2">
          {description}
        </p>
        {titles.length > 0 && (
          <p className="mt-2 text-note text-ink-3">
            {t('generator.ideas.titled')} <bdi>{titles.join(' · ')}</bdi>
          </p>
        )}
        <div className="mt-auto pt-4">
          <Button variant="outline" size="sm" aria-label={t('generator.ideas.chooseOne', { name })} onClick={onChoose}>
            {t('generator.ideas.choose')}
          </Button>
        </div>
      </div>
    </li>
  )
}
