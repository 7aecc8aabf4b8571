import { Link } from '@tanstack/react-router'
import { CreditCard, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'

/** What the strip says: until when Pro stays, and where to pay. */
export default function FailedPayment({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const user = useUser()
  const grace = user?.isPro ? user.subscription?.grace_until : null
  return (
    <aside
      aria-label={t('account.due.title')}
      className="mx-auto flex h-full max-w-page items-center gap-2 px-4 text-sm leading-tight md:px-8"
    >
      <CreditCard aria-hidden className="size-4 shrink-0 text-warn" />
      <Link to="/account" className="line-clamp-3 min-w-0 underline underline-offset-2 hover:no-underline">
        {grace ? t('account.due.stripGrace', { date: format.longDate(grace) }) : t('account.due.strip')}
      </Link>
      <Button variant="ghost" size="icon" className="ms-auto shrink-0" aria-label={t('common.close')} onClick={onClose}>
        <X aria-hidden />
      </Button>
    </aside>
  )
}
