import { Link, useLocation } from '@tanstack/react-router'
import { Crown, LogOut, Shield } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { UserOut } from '@/api/generated'
import { useBranding, useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { ColorSchemeMenu } from '@/ui/color-scheme/color-scheme-menu'
import { Logo } from '@/ui/logo'
import { Tooltip } from '@/ui/overlay/tooltip'
import { LanguageSwitch } from './language-switch'
import { RemainingGenerations } from './remaining-generations'
import { ScreenLink, useHasScreen } from './screen-link'
import type { SectionId } from './section-link'
import { SectionLink } from './section-link'

export function SiteHeader({ sections }: { sections: readonly SectionId[] }) {
  const { t } = useTranslation()
  const user = useUser()
  const branding = useBranding()
  const upgradable = useHasScreen()('/subscribe') && user && !user.isPro
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-bg">
      <div className="mx-auto flex h-16 max-w-page items-center gap-2 px-4 md:px-8">
        <Link to="/" className="flex min-w-0 items-center gap-2 overflow-hidden sm:me-2 sm:gap-2.5 lg:me-6">
          <Logo name={branding.name} src={branding.logoUrl} crowded={Boolean(upgradable)} />
        </Link>
        {user && (
          <nav aria-label={t('nav.main')} className="flex items-center max-md:hidden">
            {sections.map((id) => (
              <SectionLink
                key={id}
                id={id}
                className="rounded-md px-2.5 py-2 text-sm text-ink-2 transition-colors hover:text-ink lg:px-3"
              >
                {t(`nav.${id}`)}
              </SectionLink>
            ))}
            <ScreenLink
              to="/books"
              className="rounded-md px-2.5 py-2 text-sm text-ink-2 transition-colors hover:text-ink lg:px-3"
            >
              {t('nav.books')}
            </ScreenLink>
          </nav>
        )}
        <div className="ms-auto flex items-center sm:gap-1">{user ? <SignedIn user={user} /> : <SignedOut />}</div>
      </div>
    </header>
  )
}

function SignedOut() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  return (
    <>
      <LanguageSwitch />
      <ColorSchemeMenu />
      {pathname !== '/sign-in' && (
        <Button asChild className="ms-1 max-sm:px-3">
          <a href="/api/login">{t('nav.signIn')}</a>
        </Button>
      )}
    </>
  )
}

function SignedIn({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const hasScreen = useHasScreen()
  return (
    <>
      <RemainingGenerations user={user} />
      {!user.isPro && hasScreen('/subscribe') && (
        <Button asChild variant="outline" className="ms-1 max-sm:w-10 max-sm:px-0">
          <ScreenLink to="/subscribe">
            <Crown className="text-accent" />
            <span className="max-sm:sr-only">{t('nav.subscribe')}</span>
          </ScreenLink>
        </Button>
      )}
      <span className="contents max-md:hidden">
        {user.isAdmin && hasScreen('/admin') && (
          <Button asChild variant="ghost">
            <ScreenLink to="/admin">
              <Shield />
              <span className="max-lg:sr-only">{t('nav.admin')}</span>
            </ScreenLink>
          </Button>
        )}
        <LanguageSwitch />
      </span>
      <ColorSchemeMenu />
      <span className="mx-1 max-md:hidden">
        {hasScreen('/account') ? (
          <ScreenLink to="/account" aria-label={t('nav.account')}>
            <Avatar user={user} />
          </ScreenLink>
        ) : (
          <Avatar user={user} />
        )}
      </span>
      <Tooltip text={t('nav.signOut')}>
        <Button asChild variant="ghost" size="icon">
          <a href="/api/logout" aria-label={t('nav.signOut')}>
            <LogOut className="rtl:-scale-x-100" />
          </a>
        </Button>
      </Tooltip>
    </>
  )
}

function Avatar({ user }: { user: UserOut }) {
  const initial = (user.firstName || user.email).slice(0, 1).toUpperCase()
  return (
    <Tooltip text={user.email}>
      {user.profileImageUrl ? (
        <img src={user.profileImageUrl} alt="" className="size-9 rounded-full object-cover" />
      ) : (
        <span
          aria-hidden
          translate="no"
          className="grid size-9 place-items-center rounded-full bg-accent-soft text-sm font-medium text-accent"
        >
          {initial}
        </span>
      )}
    </Tooltip>
  )
}
