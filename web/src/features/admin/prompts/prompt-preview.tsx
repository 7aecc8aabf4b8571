import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { SegmentedControl } from '@/ui/form/radio-group'
import { Skeleton } from '@/ui/states'
import { AdminQueryError } from '../components/admin-query-error'
import { SAMPLE_INPUTS, type usePromptPreview } from './use-prompt-preview'

type Props = { preview: ReturnType<typeof usePromptPreview> }

/** The prompt that an image service would receive. */
export function PromptPreview({
  preview: { query, problems, filling, setFilling, withPictures, setWithPictures },
}: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg bg-surface p-5 shadow-1 md:p-6 xl:sticky xl:top-20">
      <h2 id={id} className="font-medium">
        {t('admin.prompts.preview.title')}
      </h2>
      <p className="mt-1 mb-5 text-sm leading-relaxed text-ink-2">{t('admin.prompts.preview.lead')}</p>
      <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <SegmentedControl
          legend={t('admin.prompts.preview.filled')}
          name="filled"
          value={filling}
          options={SAMPLE_INPUTS.map((value) => ({ value, label: t(`admin.prompts.preview.${value}`) }))}
          onChange={setFilling}
        />
        <label className="flex min-h-9 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={withPictures}
            onChange={({ target }) => setWithPictures(target.checked)}
          />
          {t('admin.prompts.preview.references')}
        </label>
      </div>
      {query.isError && Object.keys(problems).length > 0 ? (
        <p className="rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
          {t('admin.prompts.preview.invalid')}
        </p>
      ) : query.isError ? (
        <AdminQueryError query={query} />
      ) : query.data === undefined ? (
        <Skeleton className="h-64 rounded-md" />
      ) : (
        <pre
          dir="auto"
          className={cn(
            'rounded-md bg-sunken px-4 py-3 font-mono text-note leading-relaxed break-words whitespace-pre-wrap',
            (query.isPlaceholderData || query.data === '') && 'text-ink-2',
          )}
        >
          {query.data || t('admin.prompts.preview.empty')}
        </pre>
      )}
    </section>
  )
}
