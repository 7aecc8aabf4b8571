import { useTranslation } from 'react-i18next'
import { DEFAULT_ICON } from '@/lib/product'
import { cn } from '@/ui/cn'
import { Logo } from '@/ui/logo'
import type { PictureUse } from './mutations'

type Props = {
  use: PictureUse
  /** What the site is called. */
  name: string
  /** The picture; the default where there is none. */
  url: string | null
  /** The picture cannot be shown. */
  onBroken: () => void
}

/** A picture as readers see it, where they read dark on light and where they read light on dark. */
export function PreviewBackgrounds({ use, name, url, onBroken }: Props) {
  const { t } = useTranslation()
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2" onErrorCapture={onBroken}>
      {(['light', 'dark'] as const).map((ground) => (
        <figure key={ground} className={cn(ground, 'overflow-hidden rounded-md border border-line bg-bg text-ink')}>
          <div className="flex h-20 items-center justify-center gap-2.5 px-4">
            {use === 'favicon' ? <Tab name={name} url={url} /> : <Logo name={name} src={url} />}
          </div>
          <figcaption className="border-t border-line px-3 py-1.5 text-xs text-ink-2">
            {t(`admin.branding.ground.${ground}`)}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

/** The icon in a tab of a browser. */
function Tab({ name, url }: { name: string; url: string | null }) {
  return (
    <span className="flex max-w-full min-w-0 items-center gap-2 rounded-md bg-raised px-3 py-2 text-note shadow-1">
      <img src={url ?? DEFAULT_ICON} alt="" className="size-4 shrink-0 object-contain" />
      <bdi className="truncate">{name}</bdi>
    </span>
  )
}
