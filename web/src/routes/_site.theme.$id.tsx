import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { useUser } from '@/api/queries'
import { ThemeGenerator, type ThemeGeneratorHandle } from '@/features/generator/theme-generator'
import { MissingTheme, ThemePage, ThemeSignIn } from '@/features/themes/theme-page'

export const Route = createFileRoute('/_site/theme/$id')({
  staticData: { title: 'themes.page' },
  component: Page,
})

const route = getRouteApi('/_site/theme/$id')

function Page() {
  const { id } = route.useParams()
  const user = useUser()
  const generator = useRef<ThemeGeneratorHandle>(null)
  if (!user) return <ThemeSignIn />
  if (!/^[1-9]\d{0,15}$/.test(id)) return <MissingTheme />
  return (
    <ThemePage
      key={id}
      id={Number(id)}
      generator={(theme) => <ThemeGenerator ref={generator} theme={theme} />}
      onDetails={(coverId) => generator.current?.showDetails(coverId)}
    />
  )
}
