import { useTranslation } from 'react-i18next'
import type { ElementIn } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { COLORS, MANY } from './elements'

/** A thing with its color and number, in a way that no grammar is needed for. */
export function ElementName({ element: { id, label, count = 1, color = '' } }: { element: ElementIn }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {color && (
        <>
          <span
            aria-hidden
            style={{ backgroundColor: COLORS[color] }}
            className="size-3 shrink-0 rounded-full ring-1 ring-line-strong ring-inset"
          />
          <span className="sr-only">{t(`generator.depiction.colors.${color}`)} </span>
        </>
      )}
      <bdi className="truncate">{label || id}</bdi>
      {count !== 1 && (
        <span className="shrink-0 text-ink-3 tabular-nums">
          {' × '}
          {count === MANY ? t('generator.depiction.many') : number(count)}
        </span>
      )}
    </span>
  )
}
