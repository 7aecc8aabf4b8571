import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { SEO_TABS, SeoPage } from '@/features/admin/seo/seo-page'
import { i18n } from '@/i18n'
import { FALLBACK, toLanguage } from '@/i18n/languages'
import { textSearch } from './-search'

export const Route = createFileRoute('/_site/admin/seo')({
  validateSearch: textSearch('language', 'tab'),
  staticData: { title: 'admin.seo.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/seo')

function Page() {
  const { language, tab } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SeoPage
      language={toLanguage(language) ?? toLanguage(i18n.language) ?? FALLBACK}
      tab={SEO_TABS.find((name) => name === tab) ?? 'keywords'}
      onLanguage={(chosen) => void navigate({ search: (before) => ({ ...before, language: chosen }), replace: true })}
      onTab={(chosen) => void navigate({ search: (before) => ({ ...before, tab: chosen }), replace: true })}
    />
  )
}
