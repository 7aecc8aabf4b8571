import { createFileRoute } from '@tanstack/react-router'
import { Footer } from '@/features/landing/footer'
import { loadText } from '@/features/public-texts/queries'
import { TextPage } from '@/features/public-texts/text-page'
import { NotFound } from '@/features/shell/components/not-found'

export const Route = createFileRoute('/_site/contact')({
  loader: ({ context: { queryClient } }) => loadText(queryClient, 'contact'),
  staticData: { title: 'pages.contact.title' },
  component: () => (
    <>
      <TextPage page="contact" notFound={<NotFound />} />
      <Footer />
    </>
  ),
})
