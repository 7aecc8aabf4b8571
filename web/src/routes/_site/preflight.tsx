import { createFileRoute } from '@tanstack/react-router'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Footer } from '@/features/landing/footer'
import { PreflightPage } from '@/features/spine/preflight/preflight-page'
import { type Question, readQuestion } from '@/features/spine/search'
import { BOOK_NAMESPACES, i18n } from '@/i18n'

export const Route = createFileRoute('/_site/preflight')({
  validateSearch: (search: Record<string, unknown>): Partial<Question> => readQuestion(search),
  loader: async ({ context: { queryClient } }) => {
    await i18n.loadNamespaces(BOOK_NAMESPACES)
    await queryClient.ensureQueryData(getTradeOptions())
  },
  staticData: { title: 'preflight.title' },
  component: Page,
})

function Page() {
  return (
    <>
      <PreflightPage asked={Route.useSearch()} />
      <Footer />
    </>
  )
}
