import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { userQuery, useUser } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { ThemeGenerator, type ThemeGeneratorHandle } from '@/features/generator/components/theme-generator'
import { SeriesSection } from '@/features/series/components/series-section'
import { themeCoverPagesQuery, themeQuery } from '@/features/themes/api/queries'
import { ThemeError, ThemeNotFound, ThemePage, ThemeSignIn } from '@/features/themes/components/theme-page'
import { i18n, SERIES_NAMESPACE } from '@/i18n'

export const Route = createFileRoute('/_site/theme/$id')({
  staticData: { title: 'themes.page' },
  loader: async ({ context: { queryClient }, params: { id }, cause }) => {
    if (!isThemeId(id) || !(await queryClient.ensureQueryData(userQuery()))) return
    await i18n.loadNamespaces(SERIES_NAMESPACE)
    await warm(cause, [
      queryClient.ensureQueryData(themeQuery(Number(id))),
      queryClient.ensureInfiniteQueryData(themeCoverPagesQuery(Number(id))),
    ])
  },
  component: Page,
  errorComponent: ThemeError,
})

const isThemeId = (id: string) => /^[1-9]\d{0,15}$/.test(id)

const route = getRouteApi('/_site/theme/$id')

function Page() {
  const { id } = route.useParams()
  const user = useUser()
  const generator = useRef<ThemeGeneratorHandle>(null)
  if (!user) return <ThemeSignIn />
  if (!isThemeId(id)) return <ThemeNotFound />
  return (
    <ThemePage
      key={id}
      id={Number(id)}
      generator={(theme) => <ThemeGenerator ref={generator} theme={theme} />}
      series={(theme) => <SeriesSection theme={theme} />}
      onDetails={(coverId) => generator.current?.showDetails(coverId)}
    />
  )
}
