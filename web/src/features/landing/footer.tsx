import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBranding, usePublicLinks, useUser } from '@/api/queries/site'
import { Logo } from '@/ui/logo'
import { SocialIcon, socialNetworks } from './social-icon'

const LINK = 'inline-block py-1.5 text-sm text-ink-2 hover:text-ink'

/** The end of every page for everybody. What an administrator has not given is not linked. */
export function Footer() {
  const { t } = useTranslation()
  const branding = useBranding()
  const links = usePublicLinks()
  const user = useUser()
  const words = (page: 'help' | 'contact' | 'terms' | 'privacy') =>
    links?.pages.includes(page) && (
      <Link to={`/${page}`} className={LINK}>
        {t(`landing.footer.${page}`)}
      </Link>
    )
  return (
    <footer className="border-t border-line bg-sunken">
      <div className="mx-auto grid max-w-page grid-cols-2 gap-x-8 gap-y-10 px-4 py-16 md:grid-cols-[2fr_1fr_1fr_1fr] md:px-8">
        <div className="col-span-2 md:col-span-1">
          <div className="flex items-center gap-2.5">
            <Logo name={branding.name} src={branding.footerLogoUrl ?? branding.logoUrl} />
          </div>
          <p className="mt-3 max-w-[32ch] text-sm text-ink-2">{t('landing.footer.lead')}</p>
          {links && links.networks.length > 0 && (
            <ul className="mt-6 -ms-2.5 flex">
              {links.networks.map(({ network, address }) => (
                <li key={network}>
                  <a
                    href={address}
                    rel="noopener"
                    aria-label={t('landing.footer.social', { name: branding.name, network: socialNetworks[network] })}
                    className="grid size-10 place-items-center rounded-md text-ink-2 hover:text-ink"
                  >
                    <SocialIcon network={network} />
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        <Group
          title={t('landing.footer.product')}
          links={[
            user ? undefined : <SectionOfLanding key="features" id="features" />,
            <Link key="pricing" to="/pricing" className={LINK}>
              {t('landing.footer.pricing')}
            </Link>,
            <SectionOfLanding key="gallery" id="gallery" />,
            <Link key="examples" to="/examples" className={LINK}>
              {t('landing.footer.examples')}
            </Link>,
            <Link key="spine" to="/spine" className={LINK}>
              {t('landing.footer.spine')}
            </Link>,
            <Link key="preflight" to="/preflight" className={LINK}>
              {t('landing.footer.preflight')}
            </Link>,
            links?.api && (
              <a key="api" href={links.api} rel="noopener" className={LINK}>
                {t('landing.footer.api')}
              </a>
            ),
          ]}
        />
        <Group title={t('landing.footer.support')} links={[words('help'), words('contact')]} />
        <Group title={t('landing.footer.legal')} links={[words('terms'), words('privacy')]} />
      </div>
      <p className="mx-auto max-w-page border-t border-line px-4 py-6 text-note text-ink-2 md:px-8">
        {t('landing.footer.copyright', { name: branding.name })}
      </p>
    </footer>
  )
}

/** Links below a heading; a group that leads nowhere is left out. */
function Group({ title, links }: { title: string; links: readonly ReactNode[] }) {
  const shown = links.filter(Boolean)
  if (shown.length === 0) return null
  return (
    <nav aria-label={title}>
      <h2 className="text-sm font-medium">{title}</h2>
      <ul className="mt-3 space-y-1">
        {shown.map((link, place) => (
          <li key={place}>{link}</li>
        ))}
      </ul>
    </nav>
  )
}

const sections = { features: 'features', gallery: 'showcase' } as const

/** A section of the landing page, which those who are signed in do not have; there it is a plain jump. */
function SectionOfLanding({ id }: { id: keyof typeof sections }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const user = useUser()
  if (user && id === 'gallery')
    return (
      <Link to="/gallery" className={LINK}>
        {t('landing.footer.gallery')}
      </Link>
    )
  const words = t(`landing.footer.${id}`)
  if (pathname === '/')
    return (
      <a href={`#${sections[id]}`} className={LINK}>
        {words}
      </a>
    )
  return (
    <Link to="/" hash={sections[id]} className={LINK}>
      {words}
    </Link>
  )
}
