import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/api/queries/site'
import type { Language } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { EmptyState, Skeleton } from '@/ui/states'
import { AccountInformation } from './components/account-information'
import { DataExport } from './components/data-export'
import { DeleteAccount } from './components/delete-account'
import { EmailForm } from './components/email-form'
import { EmailPreferences } from './components/email-preferences'
import { LanguageChoice } from './components/language-choice'
import { NameForm } from './components/name-form'
import { PasswordForm } from './components/password-form'
import { Sessions } from './components/sessions'
import { SignInMethods } from './components/sign-in-methods'
import { SecondFactors } from './second-factor/second-factors'

type Props = {
  /** Cards about the plan: subscription, billing history, the way to Pro. They follow the information card. */
  plan?: ReactNode
  /** The plan is not known yet: what stands below it waits, or it would be pushed down. */
  pending?: boolean
  onLanguage: (language: Language) => void
}

/** Everything a reader can see and change about their own account. */
export function Account({ plan, pending = false, onLanguage }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <div className="mx-auto w-full max-w-5xl px-4 py-8 md:px-8 md:py-12">
      <Button asChild variant="ghost" size="sm" className="-ms-3">
        <Link to="/">
          <ArrowLeft className="rtl:-scale-x-100" />
          {t('account.back')}
        </Link>
      </Button>
      {user ? (
        <>
          <h1 className="display mt-4 text-4xl">{t('account.title')}</h1>
          <p className="mt-2 mb-8 text-ink-2">{t('account.subtitle')}</p>
          <AccountInformation user={user} />
          {pending ? (
            <Waiting />
          ) : (
            <>
              {plan}
              <NameForm user={user} />
              <EmailForm user={user} />
              <PasswordForm user={user} />
              <SecondFactors />
              <SignInMethods user={user} />
              <Sessions />
              <EmailPreferences user={user} />
              <LanguageChoice onLanguage={onLanguage} />
              <DataExport />
              <DeleteAccount user={user} />
            </>
          )}
        </>
      ) : (
        <EmptyState
          whole
          className="mt-6"
          title={t('account.signedOut.title')}
          body={t('account.signedOut.body')}
          action={
            <Button asChild>
              <a href="/api/login?redirect=/account">{t('auth.signIn')}</a>
            </Button>
          }
        />
      )}
    </div>
  )
}

/** As high as the screen at least, so that the page's foot stays out of sight. */
function Waiting() {
  const { t } = useTranslation()
  return (
    <div role="status" className="min-h-dvh space-y-8 border-t border-line py-8">
      <span className="sr-only">{t('common.loading')}</span>
      <Skeleton className="h-40 w-full rounded-xl lg:ms-auto lg:w-3/4" />
      <Skeleton className="h-56 w-full rounded-xl lg:ms-auto lg:w-3/4" />
    </div>
  )
}
