import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '@/ui/choice'
import { cn } from '@/ui/cn'
import { Skeleton } from '@/ui/states'
import { Unread } from '../unread'
import { FILLINGS, type usePreview } from './use-preview'

type Props = { preview: ReturnType<typeof usePreview> }

/** What an image service would be told. */
export function Preview({ preview: { query, problems, filling, setFilling, withPictures, setWithPictures } }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg bg-surface p-5 shadow-1 md:p-6 xl:sticky xl:top-20">
      <h2 id={id} className="font-medium">
        {t('admin.prompts.preview.title')}
      </h2>
      <p className="mt-1 mb-5 text-sm leading-relaxed text-ink-2">{t('admin.prompts.preview.lead')}</p>
      <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <Segmented
          legend={t('admin.prompts.preview.filled')}
          name="filled"
          value={filling}
          options={FILLINGS.map((value) => ({ value, label: t(`admin.prompts.preview.${value}`) }))}
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
        <Unread query={query} />
      ) : query.data === undefined ? (
        <Skeleton className="h-64 rounded-md" />
      ) : (
        <pre
          dir="auto"
          className={cn(
            'rounded-md bg-sunken px-4 py-3 font-mono text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap',
            (query.isPlaceholderData || query.data === '') && 'text-ink-2',
          )}
        >
          {query.data || t('admin.prompts.preview.empty')}
        </pre>
      )}
    </section>
  )
}
