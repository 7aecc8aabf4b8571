import { useTranslation } from 'react-i18next'
import { useBranding } from '@/api/queries/site'
import { Logo } from '@/ui/logo'
import { SocialIcon, socialNetworks } from './social-icon'

const groups = [
  { title: 'product', links: ['features', 'pricing', 'gallery', 'spine', 'api'] },
  { title: 'support', links: ['help', 'contact'] },
  { title: 'legal', links: ['terms', 'privacy'] },
] as const

// three lead to sections of this page, one to a page of ours; the others hold the place of pages an operator adds
const targets: Partial<Record<string, string>> = {
  features: '#features',
  pricing: '#pricing',
  gallery: '#showcase',
  spine: '/spine',
}

export function Footer() {
  const { t } = useTranslation()
  const branding = useBranding()
  return (
    <footer className="border-t border-line bg-sunken">
      <div className="mx-auto grid max-w-page grid-cols-2 gap-x-8 gap-y-10 px-4 py-16 md:grid-cols-[2fr_1fr_1fr_1fr] md:px-8">
        <div className="col-span-2 md:col-span-1">
          <div className="flex items-center gap-2.5">
            <Logo name={branding.name} src={branding.footerLogoUrl ?? branding.logoUrl} />
          </div>
          <p className="mt-3 max-w-[32ch] text-sm text-ink-2">{t('landing.footer.lead')}</p>
          <ul className="mt-6 -ms-2.5 flex">
            {socialNetworks.map((network) => (
              <li key={network}>
                <a
                  href={`#${network.toLowerCase()}`}
                  aria-label={t('landing.footer.social', { name: branding.name, network })}
                  className="grid size-10 place-items-center rounded-md text-ink-2 hover:text-ink"
                >
                  <SocialIcon network={network} />
                </a>
              </li>
            ))}
          </ul>
        </div>
        {groups.map(({ title, links }) => (
          <nav key={title} aria-label={t(`landing.footer.${title}`)}>
            <h2 className="text-sm font-medium">{t(`landing.footer.${title}`)}</h2>
            <ul className="mt-3 space-y-1">
              {links.map((link) => (
                <li key={link}>
                  <a
                    href={targets[link] ?? `#${link}`}
                    className="inline-block py-1.5 text-sm text-ink-2 hover:text-ink"
                  >
                    {t(`landing.footer.${link}`)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p className="mx-auto max-w-page border-t border-line px-4 py-6 text-note text-ink-2 md:px-8">
        {t('landing.footer.copyright', { name: branding.name })}
      </p>
    </footer>
  )
}
