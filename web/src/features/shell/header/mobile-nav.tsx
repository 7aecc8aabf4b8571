import { Images, Palette, Shield, UserRound, WandSparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { UserOut } from '@/api/generated'
import { LanguageSwitch } from './language-switch'
import { ScreenLink, useHasScreen } from './screen-link'
import { type SectionId, SectionLink } from './section-link'

const anchors = [
  { id: 'generate', icon: WandSparkles },
  { id: 'gallery', icon: Images },
  { id: 'themes', icon: Palette },
] as const

const item = 'flex h-16 flex-col items-center justify-center gap-1 text-tiny text-ink-2'

/** The bar at the foot of a phone's screen: one column per entry, five for readers and six for administrators. */
export function MobileNav({ user, sections }: { user: UserOut; sections: readonly SectionId[] }) {
  const { t } = useTranslation()
  const hasScreen = useHasScreen()
  const shown = anchors.filter(({ id }) => sections.includes(id))
  const account = hasScreen('/account')
  const admin = user.isAdmin && hasScreen('/admin')
  return (
    <nav
      aria-label={t('nav.mobile')}
      className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {shown.map(({ id, icon: Icon }) => (
        <SectionLink key={id} id={id} className={item}>
          <Icon aria-hidden className="size-5" />
          {t(`nav.${id}`)}
        </SectionLink>
      ))}
      {account && (
        <ScreenLink to="/account" className={item} activeProps={{ className: 'text-accent' }}>
          <UserRound aria-hidden className="size-5" />
          {t('nav.account')}
        </ScreenLink>
      )}
      {admin && (
        <ScreenLink to="/admin" className={item} activeProps={{ className: 'text-accent' }}>
          <Shield aria-hidden className="size-5" />
          {t('nav.admin')}
        </ScreenLink>
      )}
      <LanguageSwitch variant="mobile" />
    </nav>
  )
}
