import { createFileRoute } from '@tanstack/react-router'
import { Footer } from '@/features/landing/footer'
import { loadText } from '@/features/public-texts/queries'
import { TextPage } from '@/features/public-texts/text-page'
import { NotFound } from '@/features/shell/components/not-found'

export const Route = createFileRoute('/_site/privacy')({
  loader: ({ context: { queryClient } }) => loadText(queryClient, 'privacy'),
  staticData: { title: 'pages.privacy.title' },
  component: () => (
    <>
      <TextPage page="privacy" notFound={<NotFound />} />
      <Footer />
    </>
  ),
})
