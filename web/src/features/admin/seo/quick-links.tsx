import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/i18n/languages'
import { CopyButton } from '@/ui/copy-button'
import { CRAWL_TARGETS, crawlUrls } from './test-run/crawl'

/** What search engines ask for, to be looked at or handed to them. */
export function QuickLinks({ language }: { language: Language }) {
  const { t } = useTranslation()
  const addresses = crawlUrls(language)
  return (
    <ul aria-label={t('admin.seoTest.links')} className="divide-y divide-line rounded-lg bg-surface shadow-1">
      {CRAWL_TARGETS.map((place) => {
        const address = new URL(addresses[place], window.location.origin).href
        return (
          <li key={place} className="flex items-center justify-between gap-3 py-3 ps-5 pe-3">
            <div className="min-w-0">
              <p className="text-sm font-medium">{t(`admin.seoTest.place.${place}`)}</p>
              <a
                href={address}
                target="_blank"
                rel="noreferrer"
                className="mt-0.5 inline-flex max-w-full items-center gap-1.5 text-note text-ink-2 underline hover:text-ink"
              >
                <bdi dir="ltr" className="min-w-0 break-all">
                  {address}
                </bdi>
                <ExternalLink aria-hidden className="size-3.5 shrink-0" />
              </a>
            </div>
            <CopyButton label={t(`admin.seoTest.place.${place}`)} value={address} />
          </li>
        )
      })}
    </ul>
  )
}
