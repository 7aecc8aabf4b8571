import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { SeoTestPage } from '@/features/admin/seo/test-run/test-page'
import { i18n } from '@/i18n'
import { FALLBACK, toLanguage } from '@/i18n/languages'
import { textSearch } from '../../-search'

export const Route = createFileRoute('/_site/admin/seo-test')({
  validateSearch: textSearch('language'),
  staticData: { title: 'admin.seoTest.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/seo-test')

function Page() {
  const { language } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SeoTestPage
      language={toLanguage(language) ?? toLanguage(i18n.language) ?? FALLBACK}
      onLanguage={(chosen) => void navigate({ search: { language: chosen }, replace: true })}
    />
  )
}
