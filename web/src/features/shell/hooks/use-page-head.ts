import { useQuery } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { getBrandingOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useBranding } from '@/api/queries/site'
import { DEFAULT_ICON } from '@/lib/product'

/** Keeps the title of the window and the page's icon in step with route, language and branding. */
export function usePageHead(): void {
  const { t } = useTranslation()
  const { name } = useBranding()
  // undefined until the server has said: the icon that it wrote into the page stays as long
  const faviconUrl = useQuery(getBrandingOptions()).data?.faviconUrl
  const match = useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.title) })
  const page = match?.staticData.title
  const title = page
    ? t('common.pageTitle', { page: t(page, { ...match.loaderData }), name })
    : t('common.siteTitle', { name })
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || faviconUrl === undefined) return
    icon.removeAttribute('type')
    icon.href = faviconUrl ?? DEFAULT_ICON
  }, [faviconUrl])
}
