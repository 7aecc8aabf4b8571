import { Ban, Crown, MailWarning, MailX, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { cn } from '@/ui/cn'

/** The roles and states of a user that are out of the ordinary. */
export function UserBadges({
  person,
}: {
  person: Pick<PersonOut, 'isAdmin' | 'isPro' | 'emailVerified' | 'disabled' | 'suppression'>
}) {
  const { t } = useTranslation()
  if (!person.isAdmin && !person.isPro && !person.disabled && person.emailVerified && !person.suppression) return null
  return (
    <span className="flex flex-wrap gap-1.5">
      {person.isAdmin && (
        <Badge className="bg-ok-soft text-ok">
          <Shield aria-hidden />
          {t('account.badge.admin')}
        </Badge>
      )}
      {person.isPro && (
        <Badge className="bg-accent-soft text-accent">
          <Crown aria-hidden />
          {t('account.badge.pro')}
        </Badge>
      )}
      {person.disabled && (
        <Badge className="bg-danger-soft text-danger">
          <Ban aria-hidden />
          {t('admin.users.suspend.badge')}
        </Badge>
      )}
      {person.suppression && (
        <Badge className="bg-warn-soft text-warn">
          <MailX aria-hidden />
          {t(`admin.suppressions.reason.${person.suppression.reason}`)}
        </Badge>
      )}
      {!person.emailVerified && (
        <Badge className="bg-sunken text-ink-2">
          <MailWarning aria-hidden />
          {t('admin.users.unverified')}
        </Badge>
      )}
    </span>
  )
}

function Badge({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
        className,
      )}
    >
      {children}
    </span>
  )
}
