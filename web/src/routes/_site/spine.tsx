import { createFileRoute } from '@tanstack/react-router'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Footer } from '@/features/landing/footer'
import { sheetQuery } from '@/features/spine/question'
import { type Question, readQuestion } from '@/features/spine/search'
import { SpinePage } from '@/features/spine/spine-page'
import { i18n, SPINE_NAMESPACE } from '@/i18n'

export const Route = createFileRoute('/_site/spine')({
  validateSearch: (search: Record<string, unknown>): Partial<Question> => readQuestion(search),
  loader: async ({ context: { queryClient }, location }) => {
    await i18n.loadNamespaces(SPINE_NAMESPACE)
    void queryClient.prefetchQuery(sheetQuery(readQuestion(location.search)))
    await queryClient.ensureQueryData(getTradeOptions())
  },
  staticData: { title: 'spine.title' },
  component: Page,
})

function Page() {
  return (
    <>
      <SpinePage asked={Route.useSearch()} />
      <Footer />
    </>
  )
}
