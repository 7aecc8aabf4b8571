import { Bar, CartesianGrid, ComposedChart, Legend, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { Panel } from './panels'

type Props = { panel: Panel; label: string; place: (text: string) => string; rightToLeft: boolean }

/** The plot of a panel: the arrow keys go from day to day once it has the focus. */
export function Plot({ panel, label, place, rightToLeft }: Props) {
  const rows = panel.places.map((name, index) => ({
    name,
    ...Object.fromEntries(panel.series.map(({ key, values }) => [key, values[index] ?? 0])),
  }))
  // the plot itself is laid out from left to right, and would take the parts of a date apart
  const axisText = (text: string) => (rightToLeft ? `\u2067${place(text)}\u2069` : place(text))
  const stacked = panel.id !== 'money' && panel.series.filter(({ as }) => as === 'bar').length > 1
  return (
    <div dir="ltr" className="mt-4 h-60 text-xs">
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart
          data={rows}
          title={label}
          stackOffset="sign"
          accessibilityLayer
          margin={{ top: 4, right: 4, bottom: 0, left: 4 }}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="name"
            tickFormatter={axisText}
            reversed={rightToLeft}
            minTickGap={28}
            tickLine={false}
            stroke="var(--line-strong)"
            tick={{ fill: 'var(--ink-2)' }}
          />
          <YAxis
            orientation={rightToLeft ? 'right' : 'left'}
            tickFormatter={panel.write}
            allowDecimals={false}
            axisLine={false}
            tickLine={false}
            width="auto"
            tick={{ fill: 'var(--ink-2)' }}
          />
          <Tooltip
            labelFormatter={(name) => place(String(name))}
            formatter={(value) => panel.write(Number(value))}
            isAnimationActive={false}
            contentStyle={{
              background: 'var(--raised)',
              border: '1px solid var(--line)',
              borderRadius: 8,
              color: 'var(--ink)',
              direction: rightToLeft ? 'rtl' : 'ltr',
            }}
            itemStyle={{ color: 'var(--ink)' }}
            cursor={{ fill: 'var(--sunken)', stroke: 'var(--line-strong)' }}
          />
          <Legend formatter={(name) => <bdi className="text-ink-2">{name}</bdi>} />
          {panel.series.map(({ key, name, as, color }) =>
            as === 'bar' ? (
              <Bar
                key={key}
                dataKey={key}
                name={name}
                fill={color}
                maxBarSize={28}
                isAnimationActive={false}
                {...(stacked && { stackId: 'all' })}
              />
            ) : (
              <Line
                key={key}
                dataKey={key}
                name={name}
                stroke={color}
                strokeWidth={2}
                dot={false}
                isAnimationActive={false}
                {...(as === 'dashed' && { strokeDasharray: '4 4', strokeWidth: 1.5 })}
              />
            ),
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
