import { createFileRoute, redirect } from '@tanstack/react-router'
import { listSignInMethodsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries/site'
import { SecondStep } from '@/features/sign-in/second-step'
import { SignIn } from '@/features/sign-in/sign-in'
import { safeRedirect } from '@/lib/safe-redirect'

type Search = { redirect?: string; register?: true; error?: string; method?: string; step?: 'second-factor' }

export const Route = createFileRoute('/_site/sign-in')({
  codeSplitGroupings: [['component']],
  validateSearch: ({ redirect, register, error, method, step }: Record<string, unknown>): Search => ({
    ...(typeof redirect === 'string' && { redirect }),
    ...(register === true && { register }),
    ...(typeof error === 'string' && { error }),
    ...(typeof method === 'string' && { method }),
    ...(step === 'second-factor' && { step }),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const user = await queryClient.ensureQueryData(userQuery())
    // who is signed in has no business here, unless a provider has just sent them back with bad news
    if (user && !search.error) throw redirect({ href: safeRedirect(search.redirect) })
  },
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(listSignInMethodsOptions()),
  staticData: { title: 'auth.signIn' },
  component: Page,
})

function Page() {
  const { redirect, register, error, method, step } = Route.useSearch()
  if (step) return <SecondStep redirect={redirect} />
  return <SignIn redirect={redirect} registering={register === true} error={error} method={method} />
}
