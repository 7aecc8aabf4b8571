import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { analyticsQuery, contentQuery, keywordsQuery } from '@/features/admin/seo/queries'
import { SEO_TABS, SeoPage } from '@/features/admin/seo/seo-page'
import { i18n } from '@/i18n'
import { FALLBACK, toLanguage } from '@/i18n/languages'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('language', 'tab')

export const Route = createFileRoute('/_site/admin/seo')({
  validateSearch,
  staticData: { title: 'admin.seo.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(keywordsQuery(shownLanguage(deps.language))),
      client.ensureQueryData(contentQuery(shownLanguage(deps.language))),
      client.ensureQueryData(analyticsQuery(shownLanguage(deps.language))),
    ]),
  component: Page,
})

/** The one that the address names, or that of the interface. */
const shownLanguage = (named: string | undefined) => toLanguage(named) ?? toLanguage(i18n.language) ?? FALLBACK

const route = getRouteApi('/_site/admin/seo')

function Page() {
  const { language, tab } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SeoPage
      language={shownLanguage(language)}
      tab={SEO_TABS.find((name) => name === tab) ?? 'keywords'}
      onLanguage={(chosen) => void navigate({ search: (before) => ({ ...before, language: chosen }), replace: true })}
      onTab={(chosen) => void navigate({ search: (before) => ({ ...before, tab: chosen }), replace: true })}
    />
  )
}
