import { ChevronLeft, ChevronRight, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { useStyleName } from '@/lib/hooks/use-style-name'
import { Button } from '@/ui/button'
import { Tooltip } from '@/ui/overlay/tooltip'
import type { Preview } from './use-preview'

type Props = {
  preview: Preview
  /** Who sets the words of the cover. */
  by: 'press' | 'service' | 'sketch' | 'model'
  /** Name of the image service. */
  service: string
  /** Blank for the press's own choice. */
  onChoose: (style: string) => void
}

/**
 * Leads through the styles of the press. Where a service sets the words in its own way, it does until a style is chosen;
 * a picture's own model knows no styles.
 */
export function StyleBar({ preview, by, service, onChoose }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const name = useStyleName()
  const { look, svg, style, styles } = preview
  if (svg === undefined) return null
  if (by === 'model') {
    return (
      <p className="mx-auto max-w-[34rem] text-center text-note leading-snug text-balance text-ink-2">
        {t('generator.preview.by.model')}
      </p>
    )
  }
  const at = styles.indexOf(style ?? '')
  const step = (by: number) => {
    const next = styles[(at + by + styles.length) % styles.length]
    if (next) onChoose(next)
  }
  return (
    <fieldset aria-label={t('generator.preview.styles')} className="w-full min-w-0 text-center">
      <div className="flex items-center justify-center gap-1">
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('generator.preview.before')}
          disabled={at < 0}
          onClick={() => step(-1)}
        >
          <ChevronLeft aria-hidden className="rtl:-scale-x-100" />
        </Button>
        <span role="status" className="min-w-0 text-note text-ink-2 tabular-nums sm:min-w-36">
          {at < 0 || by !== 'press' ? (
            t('generator.preview.styles')
          ) : (
            <>
              <span className="block text-ink">{name(style ?? '')}</span>
              <span className="block text-xs">
                {t('generator.preview.style', { number: number(at + 1), count: number(styles.length) })}
              </span>
            </>
          )}
        </span>
        <Button variant="ghost" disabled={at < 0} onClick={() => step(1)}>
          {t('generator.preview.another')}
          <ChevronRight aria-hidden className="rtl:-scale-x-100" />
        </Button>
        {look.style && (
          <Tooltip text={t('generator.preview.own')}>
            <Button variant="ghost" size="icon" aria-label={t('generator.preview.own')} onClick={() => onChoose('')}>
              <RotateCcw aria-hidden className="rtl:-scale-x-100" />
            </Button>
          </Tooltip>
        )}
      </div>
      <p className="text-xs text-balance text-ink-3">
        {by === 'press' ? t('generator.preview.fits') : t(`generator.preview.by.${by}`, { service })}
      </p>
    </fieldset>
  )
}
