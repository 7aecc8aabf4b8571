import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sheet } from '@/api/generated'
import { useFormat } from '@/i18n/format'

const GUIDES = { bleed: '#c8322b', cut: '#1c1c1e', safe: '#3f8a4c', barcode: '#8b8f94', hinge: '#2f5fa8' } as const

/** The size of a sheet in all units, and the sheet drawn with its guides. */
export function SheetFigures({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation()
  const { number, measure } = useFormat()
  const rows = [
    ['inches', measure(sheet.spine), measure(sheet.width), measure(sheet.height)],
    ['millimeters', measure(sheet.spineMm), measure(sheet.widthMm), measure(sheet.heightMm)],
    ['pixels', number(sheet.spinePixels), number(sheet.widthPixels), number(sheet.heightPixels)],
  ] as const
  return (
    <>
      <table className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line text-start text-ink-2">
            <td />
            <Head>{t('spine.spine')}</Head>
            <Head>{t('spine.whole')}</Head>
          </tr>
        </thead>
        <tbody>
          {rows.map(([unit, spine, width, height]) => (
            <tr key={unit} className="border-b border-line">
              <th scope="row" className="py-2.5 pe-3 text-start font-normal text-ink-2">
                {t(`spine.${unit}`)}
              </th>
              <td className="py-2.5 pe-3 text-lg font-medium">
                <bdi>{spine}</bdi>
              </td>
              <td className="py-2.5 text-lg font-medium">
                <bdi>{`${width} × ${height}`}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-sm text-ink-2">
        {sheet.spineText ? t('spine.textYes') : t('spine.textNo', { pages: number(sheet.spineTextPages) })}
      </p>
      {sheet.computed && <p className="mt-2 text-sm text-warn">{t('spine.computed')}</p>}
      <figure className="mt-6 rounded-lg bg-sunken p-4">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(sheet.svg)}`}
          alt={t('spine.drawing')}
          className="mx-auto max-h-[28rem] w-full object-contain"
        />
        <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5 text-note text-ink-2">
          {(Object.keys(GUIDES) as (keyof typeof GUIDES)[])
            .filter((guide) => guide !== 'hinge' || sheet.svg.includes('#e3e9f3'))
            .map((guide) => (
              <span key={guide} className="flex items-center gap-2">
                <span
                  aria-hidden
                  style={{ backgroundColor: GUIDES[guide] }}
                  className="size-3 rounded-full ring-1 ring-line-strong ring-inset"
                />
                {t(`spine.legend.${guide}`)}
              </span>
            ))}
        </figcaption>
      </figure>
    </>
  )
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="py-2 pe-3 text-start font-medium">
      {children}
    </th>
  )
}
