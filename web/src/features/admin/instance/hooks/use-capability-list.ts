import { useTranslation } from 'react-i18next'
import { i18n } from '@/i18n'
import { useFormat } from '@/i18n/format'

type Fact = { key: string; label: string; lines: string[] }
type Plain = Readonly<Record<string, unknown>>

const SECONDS = ['expectedSeconds', 'deadlineSeconds']
const UNITS = ['image', 'second', 'megapixel', '1m_tokens'] as const
const BYTES = ['maxObjectBytes', 'maxBatchBytes']
// shown by other entries, or of use to the kernel only
const LEFT_OUT = ['typicalUsage', 'resumable', 'concurrency', 'client', 'origins']

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a kind can say of an instance, in the reader's language and formats. */
export function useCapabilityList(capabilities: Plain): Fact[] {
  const { t } = useTranslation()
  const format = useFormat()

  const sides = ({ width, height }: Plain) =>
    t('admin.capabilities.pixels', { width: Number(width), height: Number(height) })

  function line(key: string, value: unknown): string {
    if (typeof value === 'boolean') return t(value ? 'admin.yes' : 'admin.no')
    if (typeof value === 'number') {
      if (SECONDS.includes(key)) return format.duration(value * 1000)
      return BYTES.includes(key)
        ? t('admin.capabilities.megabytes', { size: format.decimal(value / 1e6) })
        : format.number(value)
    }
    if (!isPlain(value)) return String(value)
    if ('width' in value) return sides(value)
    if (isPlain(value.smallest) && isPlain(value.largest))
      return t('admin.capabilities.range', { smallest: sides(value.smallest), largest: sides(value.largest) })
    if (typeof value.micros === 'number') return price(value, value.micros)
    if (typeof value.day === 'string')
      return t('admin.capabilities.retires', { model: String(value.model), day: format.date(value.day) })
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${String(inner)}`)
      .join(', ')
  }

  function price({ per, asof }: Plain, micros: number): string {
    const unit = UNITS.find((known) => known === per) ?? 'image'
    return t(`admin.capabilities.price.${unit}`, { amount: format.micros(micros), day: format.date(String(asof)) })
  }

  /** A price stands below what it is for, where there are several. */
  function linesOf(key: string, value: unknown): string[] {
    const whatFor = isPlain(value) && 'micros' in value ? [value.model, value.unit].filter(Boolean).join(' · ') : ''
    return whatFor ? [whatFor, line(key, value)] : [line(key, value)]
  }

  return Object.entries(capabilities).flatMap(([key, value]) => {
    const lines = (Array.isArray(value) ? value : [value]).filter((entry) => entry !== null)
    if (LEFT_OUT.includes(key) || lines.length === 0) return []
    const known = `admin.capabilities.key.${key}`
    // a kind may learn to say something before this page does
    const label = i18n.exists(known) ? i18n.t(known as 'admin.capabilities.key.models') : key
    return [{ key, label, lines: lines.flatMap((entry) => linesOf(key, entry)) }]
  })
}
