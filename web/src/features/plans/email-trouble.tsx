import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailWarning, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { resumeEmail } from '@/api/generated'
import { userQuery, useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'

/** What the strip says when no email reaches its reader: why, and what to do about it. */
export default function EmailTrouble({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const queryClient = useQueryClient()
  const resume = useMutation({
    mutationFn: () => resumeEmail({ throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('account.emailTrouble.done', { email: user?.email }) })
      await queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
    },
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  if (!user?.emailTrouble) return null
  return (
    <aside
      aria-label={t('account.emailTrouble.title')}
      className="mx-auto flex h-full max-w-page items-center gap-2 px-4 text-sm leading-tight md:px-8"
    >
      <MailWarning aria-hidden className="size-4 shrink-0 text-warn max-sm:hidden" />
      <Link
        to="/account"
        className="line-clamp-4 min-w-0 max-sm:text-xs max-sm:leading-tight underline underline-offset-2 hover:no-underline"
      >
        {t(`account.emailTrouble.${user.emailTrouble}`, { email: user.email })}
      </Link>
      <Button
        variant="outline"
        size="sm"
        className="ms-auto shrink-0"
        pending={resume.isPending}
        onClick={() => resume.mutate()}
      >
        {t('account.emailTrouble.action')}
      </Button>
      <Button variant="ghost" size="icon" className="shrink-0" aria-label={t('common.close')} onClick={onClose}>
        <X aria-hidden />
      </Button>
    </aside>
  )
}
