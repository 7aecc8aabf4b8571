import { Lock, LockOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SeriesOut } from '@/api/generated'
import { useStyleName } from '@/lib/hooks/use-style-name'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { useChangeLook } from '../api/mutations'

const LockDialog = lazy(() => import('./lock-dialog'))

type Props = {
  themeId: number
  series: SeriesOut
  /** The look is being applied: it stays as it is meanwhile. */
  busy: boolean
  /** What else can be done with a look. */
  children: ReactNode
}

/** Says whether a theme has a look, and whose; locks, changes and releases it. */
export function LookCard({ themeId, series: { look, volumes }, busy, children }: Props) {
  const { t } = useTranslation()
  const styleName = useStyleName()
  const [choosing, setChoosing] = useState(false)
  const [releasing, setReleasing] = useState(false)
  const change = useChangeLook(themeId)
  const lenders = volumes.filter(({ state }) => state === 'same' || state === 'drifts')
  const from = volumes.find(({ cover }) => cover.id === look?.coverId)?.cover
  const style = look && styleName(look.style)
  return (
    <div className="rounded-xl border border-line bg-surface p-5">
      <h3 className="flex items-center gap-2 font-medium">
        {look ? <Lock aria-hidden className="size-4 text-accent" /> : <LockOpen aria-hidden className="size-4" />}
        {t(look ? 'series.look.locked' : 'series.look.none')}
      </h3>
      <p className="mt-2 max-w-[62ch] text-sm leading-relaxed text-ink-2">
        {look
          ? from
            ? t('series.look.from', { title: from.title || t('themes.detail.untitled') })
            : t('series.look.fromGone')
          : t(lenders.length > 0 ? 'series.look.noneBody' : 'series.look.nobody')}
        {style && ` ${t('series.look.style', { style })}`}
      </p>
      {look && <p className="mt-1 max-w-[62ch] text-sm leading-relaxed text-ink-3">{t('series.look.begins')}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        {children}
        {lenders.length > 0 && (
          <Button variant={look ? 'outline' : 'primary'} disabled={busy} onClick={() => setChoosing(true)}>
            {t(look ? 'series.look.change' : 'series.look.lock')}
          </Button>
        )}
        {look && (
          <Button variant="ghost" disabled={busy} onClick={() => setReleasing(true)}>
            {t('series.look.release')}
          </Button>
        )}
      </div>
      {choosing && (
        <Suspense>
          <LockDialog
            covers={lenders.map(({ cover }) => cover)}
            current={look?.coverId ?? undefined}
            pending={change.isPending}
            onLock={(coverId) => change.mutate(coverId, { onSuccess: () => setChoosing(false) })}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
      <ConfirmDialog
        open={releasing}
        onOpenChange={(open) => !change.isPending && setReleasing(open)}
        title={t('series.look.releaseTitle')}
        description={t('series.look.releaseBody')}
        confirm={t('series.look.release')}
        pending={change.isPending}
        onConfirm={() => change.mutate(null, { onSettled: () => setReleasing(false) })}
      />
    </div>
  )
}
