import { createFileRoute, redirect } from '@tanstack/react-router'
import { listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries'
import { SignIn } from '@/features/sign-in/sign-in'
import { safePath } from '@/lib/safe-path'

type Search = { redirect?: string; register?: true; error?: string }

export const Route = createFileRoute('/_site/sign-in')({
  validateSearch: ({ redirect, register, error }: Record<string, unknown>): Search => ({
    ...(typeof redirect === 'string' && { redirect }),
    ...(register === true && { register }),
    ...(typeof error === 'string' && { error }),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    if (await queryClient.ensureQueryData(userQuery())) throw redirect({ href: safePath(search.redirect) })
  },
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(listSignInMethodsOptions()),
  staticData: { title: 'auth.signIn' },
  component: Page,
})

function Page() {
  const { redirect, register, error } = Route.useSearch()
  return <SignIn redirect={redirect} registering={register === true} refused={error !== undefined} />
}
