import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBranding } from '@/api/queries'

/** Keeps the title of the window and the page's icon in step with route, language and branding. */
export function usePageHead(): void {
  const { t } = useTranslation()
  const { name, faviconUrl } = useBranding()
  const page = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const title = page ? t('common.pageTitle', { page: t(page), name }) : t('common.siteTitle', { name })
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || !faviconUrl) return
    icon.removeAttribute('type')
    icon.href = faviconUrl
  }, [faviconUrl])
}
