import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Measured } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import type { BlockTools } from './fields/tools'

/** How well a block can be read, in figures, and what would mend it. */
export function ContrastNote({ tools: { change }, measured }: { tools: BlockTools; measured: Measured }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { contrast, needed, unfit, missing, inside, remedies } = measured
  const passes = contrast >= needed
  const faults = [
    ...(unfit ? [t(`studio.unfit.${unfit}`, { missing })] : []),
    ...(inside ? [] : [t('studio.unfit.edge')]),
  ]
  const ratio = (value: number) => t('studio.contrast.ratio', { ratio: format.decimal(Math.floor(value * 10) / 10) })
  return (
    <section aria-label={t('studio.contrast.title')} className="rounded-md bg-sunken p-3">
      <p className="flex items-center gap-2 text-sm">
        {passes ? (
          <CircleCheck aria-hidden className="size-4.5 shrink-0 text-ok" />
        ) : (
          <TriangleAlert aria-hidden className="size-4.5 shrink-0 text-danger" />
        )}
        <span className="font-medium">{t('studio.contrast.title')}</span>
        <bdi className="tabular-nums">{ratio(contrast)}</bdi>
        <span className="ms-auto text-xs text-ink-2">
          {t(passes ? 'studio.contrast.pass' : 'studio.contrast.fail', { needed: format.decimal(needed) })}
        </span>
      </p>
      {faults.map((fault) => (
        <p key={fault} className="mt-2 text-xs leading-relaxed text-danger">
          {fault}
        </p>
      ))}
      {!passes && (
        <div className="mt-3 flex flex-wrap gap-2">
          {remedies.map(({ kind, block, contrast: after }, index) => (
            <Button
              key={kind}
              size="sm"
              variant={index === 0 ? 'primary' : 'outline'}
              onClick={() => change(block, `remedy-${kind}`)}
            >
              {t(`studio.contrast.remedy.${kind}`)}
              <bdi className="tabular-nums opacity-80">{ratio(after)}</bdi>
            </Button>
          ))}
          {remedies.length === 0 && <p className="text-xs text-ink-2">{t('studio.contrast.none')}</p>}
        </div>
      )}
    </section>
  )
}
