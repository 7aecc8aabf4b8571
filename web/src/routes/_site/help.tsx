import { createFileRoute } from '@tanstack/react-router'
import { Footer } from '@/features/landing/footer'
import { loadText } from '@/features/public-texts/queries'
import { TextPage } from '@/features/public-texts/text-page'
import { NotFound } from '@/features/shell/components/not-found'

export const Route = createFileRoute('/_site/help')({
  loader: ({ context: { queryClient } }) => loadText(queryClient, 'help'),
  staticData: { title: 'pages.help.title' },
  component: () => (
    <>
      <TextPage page="help" notFound={<NotFound />} />
      <Footer />
    </>
  ),
})
