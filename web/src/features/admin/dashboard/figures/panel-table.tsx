import { useTranslation } from 'react-i18next'
import { Table, Td, Th } from '@/ui/table'
import type { Panel } from './panels'

/** What a plot shows, as rows. */
export function PanelTable({ panel, place }: { panel: Panel; place: (text: string) => string }) {
  const { t } = useTranslation()
  return (
    <div className="max-h-96 overflow-y-auto">
      <Table caption={panel.title}>
        <thead>
          <tr>
            <Th>{panel.days ? t('admin.figures.day') : t('admin.figures.panel.wait')}</Th>
            {panel.series.map(({ key, name }) => (
              <Th key={key} className="text-end">
                <bdi>{name}</bdi>
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {panel.places.map((name, index) => (
            <tr key={name}>
              <Td className="h-9 whitespace-nowrap">{place(name)}</Td>
              {panel.series.map(({ key, values }) => (
                <Td key={key} className="h-9 text-end whitespace-nowrap tabular-nums">
                  {panel.write(values[index] ?? 0)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
