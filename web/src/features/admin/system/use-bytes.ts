import { useTranslation } from 'react-i18next'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1000

/** Returns a function that writes a number of bytes for people: `12.3 MB`. */
export function useBytes() {
  const { i18n } = useTranslation()
  return (bytes: number) => {
    const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
    return new Intl.NumberFormat(`${i18n.language}-u-nu-latn`, {
      style: 'unit',
      unit: UNITS[power],
      maximumFractionDigits: power > 1 ? 1 : 0,
    }).format(bytes / STEP ** power)
  }
}
