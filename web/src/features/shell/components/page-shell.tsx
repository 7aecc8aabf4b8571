import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/api/queries/site'
import { TooltipProvider } from '@/ui/overlay/tooltip'
import { MobileNav } from '../header/mobile-nav'
import type { SectionId } from '../header/section-link'
import { SiteHeader } from '../header/site-header'
import { OfflineBanner } from './offline-banner'
import { ShortcutsHelp } from './shortcuts-help'

type Props = {
  sections: readonly SectionId[]
  /** What the reader has to know on every page, below the header. */
  notice?: ReactNode
  children: ReactNode
}

/** The frame of every page: skip link, header, the page itself, and on phones the bar at the foot. */
export function PageShell({ sections, notice, children }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <TooltipProvider>
      <div className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only z-50 rounded-md bg-primary px-4 py-2 text-on-primary focus:not-sr-only focus:fixed focus:inset-s-4 focus:top-4"
        >
          {t('common.skip')}
        </a>
        <SiteHeader sections={sections} />
        {notice}
        <OfflineBanner />
        <main id="main" tabIndex={-1} className={user ? 'flex-1 outline-none max-md:pb-20' : 'flex-1 outline-none'}>
          {children}
        </main>
        {user && <ShortcutsHelp />}
        {user && <MobileNav user={user} sections={sections} />}
      </div>
    </TooltipProvider>
  )
}
