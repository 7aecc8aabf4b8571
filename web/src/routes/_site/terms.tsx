import { createFileRoute } from '@tanstack/react-router'
import { Footer } from '@/features/landing/footer'
import { loadText } from '@/features/public-texts/queries'
import { TextPage } from '@/features/public-texts/text-page'
import { NotFound } from '@/features/shell/components/not-found'

export const Route = createFileRoute('/_site/terms')({
  loader: ({ context: { queryClient } }) => loadText(queryClient, 'terms'),
  staticData: { title: 'pages.terms.title' },
  component: () => (
    <>
      <TextPage page="terms" notFound={<NotFound />} />
      <Footer />
    </>
  ),
})
