import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { addressesQuery, textsQuery } from '@/features/admin/texts/queries'
import { TEXT_TABS, TextsPage } from '@/features/admin/texts/texts-page'
import { i18n } from '@/i18n'
import { FALLBACK, toLanguage } from '@/i18n/languages'
import { textSearch } from '../../-search'
import { warmPage } from './-warm-page'

// on its own: within the options its type would depend on that of the loader
const validateSearch = textSearch('language', 'tab')

export const Route = createFileRoute('/_site/admin/texts')({
  validateSearch,
  staticData: { title: 'admin.texts.title' },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(textsQuery(shownLanguage(deps.language))),
      client.ensureQueryData(addressesQuery()),
    ]),
  component: Page,
})

/** The one that the address names, or that of the interface. */
const shownLanguage = (named: string | undefined) => toLanguage(named) ?? toLanguage(i18n.language) ?? FALLBACK

const route = getRouteApi('/_site/admin/texts')

function Page() {
  const { language, tab } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <TextsPage
      language={shownLanguage(language)}
      tab={TEXT_TABS.find((name) => name === tab) ?? 'terms'}
      onLanguage={(chosen) => void navigate({ search: (before) => ({ ...before, language: chosen }), replace: true })}
      onTab={(chosen) => void navigate({ search: (before) => ({ ...before, tab: chosen }), replace: true })}
    />
  )
}
