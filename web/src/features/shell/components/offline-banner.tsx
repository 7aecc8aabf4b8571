import { WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOnline } from '@/lib/hooks/use-online'

export function OfflineBanner() {
  const { t } = useTranslation()
  if (useOnline()) return null
  return (
    <p role="status" className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-center text-sm">
      <WifiOff aria-hidden className="size-4 shrink-0 text-warn" />
      {t('errors.offline')}
    </p>
  )
}
