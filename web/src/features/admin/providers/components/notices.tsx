import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { dismissNotice, type NoticeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Tooltip } from '@/ui/overlay/tooltip'
import { invalidateNotices, noticesQuery } from '../../api/queries'
import { useFailureToast } from '../../hooks/use-failure-toast'

/** What needs an administrator, on top of the page; nothing while all is well. */
export function Notices() {
  const { t } = useTranslation()
  const { data: notices = [] } = useQuery(noticesQuery())
  if (notices.length === 0) return null
  return (
    <ul aria-label={t('admin.notices.label')} className="mb-8 space-y-2">
      {notices.map((notice) => (
        <NoticeRow key={notice.id} notice={notice} />
      ))}
    </ul>
  )
}

function NoticeRow({ notice }: { notice: NoticeOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const sentence = useSentence(notice)
  const dismiss = useMutation({
    mutationFn: () => dismissNotice({ path: { notice_id: notice.id }, throwOnError: true }),
    onSuccess: () => invalidateNotices(queryClient),
    onError: fail,
  })
  const { instanceId, params, lastAt, count } = notice
  return (
    <li className="flex gap-3 rounded-lg bg-warn-soft p-4 text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <div className="min-w-0 flex-1">
        <p className="leading-relaxed break-words">
          {sentence}{' '}
          {instanceId && (
            <Link to="/admin/providers/$id" params={{ id: instanceId }} className="font-medium underline">
              {t('admin.notices.open')}
            </Link>
          )}
        </p>
        {params.detail && (
          <p className="mt-1 text-note break-words text-ink-2">
            <bdi>{params.detail}</bdi>
          </p>
        )}
        <p className="mt-1 text-xs text-ink-2">
          {t('admin.notices.seen', { time: format.ago(lastAt), count, formatted: format.number(count) })}
        </p>
      </div>
      <Tooltip text={t('admin.notices.dismiss')}>
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('admin.notices.dismiss')}
          pending={dismiss.isPending}
          onClick={() => dismiss.mutate()}
        >
          {!dismiss.isPending && <X />}
        </Button>
      </Tooltip>
    </li>
  )
}

/** A notice in words. */
function useSentence({ kind, code, instanceId, params }: NoticeOut): string {
  const { t } = useTranslation()
  const format = useFormat()
  const label = params.label || instanceId || ''
  if (kind === 'budget_reached') {
    const values = {
      label,
      spent: format.micros(Number(params.spentMicros ?? 0)),
      limit: format.micros(Number(params.limitMicros ?? 0)),
    }
    const reached = code === 'reached' ? 'reached' : 'near'
    return t(label ? `admin.notices.budget.${reached}` : `admin.notices.siteBudget.${reached}`, values)
  }
  if (kind === 'certificate_ending') {
    return t('admin.notices.kind.certificate_ending', { day: format.date(params.day ?? '') })
  }
  if (kind === 'model_retiring') {
    const values = { label, model: params.model, day: format.date(params.day ?? ''), replacement: params.replacement }
    return t(params.replacement ? 'admin.notices.retiringTo' : 'admin.notices.retiring', values)
  }
  if (code === 'rate_limited' && kind === 'instance_down') return t('admin.notices.limited', { label })
  return t(`admin.notices.kind.${kind}`, { ...params, label })
}
