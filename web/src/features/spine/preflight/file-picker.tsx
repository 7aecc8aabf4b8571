import { FileUp } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { useFileDrop } from '@/lib/hooks/use-file-drop'
import { cn } from '@/ui/cn'

type Props = { file: File | undefined; onPick: (file: File) => void }

/** Takes one file: clicked for, or dropped. */
export function FilePicker({ file, onPick }: Props) {
  const { t } = useTranslation()
  const { decimal } = useFormat()
  const id = useId()
  const pick = ([first]: Iterable<File>) => first && onPick(first)
  const { over, ...drop } = useFileDrop(pick)
  return (
    <div {...drop}>
      <input
        id={id}
        type="file"
        accept="application/pdf,image/jpeg,image/png"
        className="peer sr-only"
        onChange={({ target }) => pick(target.files ?? [])}
      />
      <label
        htmlFor={id}
        className={cn(
          'flex min-h-36 cursor-pointer flex-col items-center justify-center gap-2 rounded-lg border border-line-strong border-dashed bg-surface px-4 py-6 text-center peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent hover:bg-sunken',
          over && 'bg-sunken',
        )}
      >
        <FileUp aria-hidden className="size-6 text-ink-2" />
        <span className="font-medium">{t(file ? 'preflight.other' : 'preflight.choose')}</span>
        {file ? (
          <span className="max-w-full break-all text-sm text-ink-2">
            <bdi>{file.name}</bdi>
            {` · ${t('preflight.size', { megabytes: decimal(Math.max(file.size / 1_000_000, 0.01)) })}`}
          </span>
        ) : (
          <span className="text-sm text-ink-2">{t('preflight.kinds')}</span>
        )}
      </label>
      <p className="mt-2 text-note text-ink-2">{t('preflight.kept')}</p>
    </div>
  )
}
