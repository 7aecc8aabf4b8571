import type { BudgetsOut, CheckOut, HealthOut, InstanceOut, ProviderOut, RestartOut } from '@/api/generated'
import { reader } from '@/test/render-app'

export const admin = { ...reader, isAdmin: true }

export const instance = (over: Partial<InstanceOut> & Pick<InstanceOut, 'id'>): InstanceOut => ({
  kind: 'image',
  provider: 'painter',
  providerLabel: 'Painter',
  label: over.id,
  enabled: true,
  draining: false,
  origin: 'stored',
  state: 'ready',
  since: '2026-10-01T10:00:00Z',
  reason: '',
  notice: '',
  problems: {},
  settings: {},
  secrets: {},
  sources: {},
  revision: 1,
  runningRevision: 1,
  pluginVersion: '1.0',
  capabilities: null,
  inUse: 0,
  inUseWhat: 'pictures',
  webhookUrl: null,
  redirectUrl: null,
  checkedAt: null,
  checkOk: null,
  keepsMessages: false,
  routePosition: null,
  prices: [],
  ...over,
})

export const painter: ProviderOut = {
  kind: 'image',
  id: 'painter',
  label: 'Painter',
  summary: 'Paints covers.',
  plugin: 'painter',
  pluginVersion: '1.0',
  offline: false,
  docsUrl: null,
  comparison: null,
  pages: [],
  settingsComponent: null,
  schema: {
    type: 'object',
    required: ['model'],
    properties: {
      key: {
        title: 'API key',
        anyOf: [{ type: 'string', writeOnly: true, format: 'password' }, { type: 'null' }],
        default: null,
        'x-help-url': 'https://keys.example/',
      },
      model: { title: 'Model', type: 'string', minLength: 2, 'x-suggest': ['oil-1'] },
      quality: { title: 'Quality', enum: ['low', 'high'], default: 'high' },
      layers: {
        title: 'Layers',
        type: 'integer',
        minimum: 1,
        maximum: 9,
        default: 3,
        'x-show-when': { quality: 'high' },
      },
      signed: { title: 'Signed', type: 'boolean', default: false },
      address: {
        title: 'Address',
        type: 'string',
        default: 'https://a.example',
        'x-destination': true,
        'x-group': 'advanced',
      },
      colors: { title: 'Colors', type: 'array', items: { type: 'string' }, default: [], 'x-group': 'advanced' },
    },
  },
}

export const oils = instance({
  id: 'oils',
  label: 'Oils',
  settings: { model: 'oil-1', quality: 'high', layers: 3, signed: true, address: 'https://a.example', colors: [] },
  secrets: { key: { set: true, hint: '…4f2a', source: 'stored', updatedAt: null } },
  sources: { model: 'stored', signed: 'PAINTER_SIGNED' },
})

export const healthOf = (instanceId: string, over: Partial<HealthOut> = {}): HealthOut => ({
  instanceId,
  state: 'ready',
  since: '2026-10-01T10:00:00Z',
  lastCode: '',
  lastSuccessAt: null,
  lastErrorAt: null,
  calls: 0,
  successRate: null,
  p50Ms: null,
  p95Ms: null,
  callsToday: 5,
  spentTodayMicros: null,
  unknownToday: 0,
  ...over,
})

const budgets: BudgetsOut = {
  siteMonthMicros: null,
  userDayMicros: null,
  instances: [],
  spent: { siteMonthMicros: 0, instances: [] },
}

export const goodCheck: CheckOut = {
  ok: true,
  steps: [{ name: 'Key accepted', status: 'ok', detail: '', field: null }],
  problems: {},
  suggestions: { model: ['oil-1', 'oil-2'] },
  checkToken: 'proof',
  tookMs: 120,
}

export const badCheck: CheckOut = {
  ok: false,
  steps: [{ name: 'Key accepted', status: 'fail', detail: 'Refused.', field: 'key' }],
  problems: { key: 'Refused.' },
  suggestions: {},
  checkToken: null,
  tookMs: 80,
}

/** A report as the server streams it: its steps, then itself. */
export function streamed(report: CheckOut): Response {
  const steps = report.steps.map((step) => `event: step\ndata: ${JSON.stringify(step)}\n\n`)
  return new Response(`${steps.join('')}event: report\ndata: ${JSON.stringify(report)}\n\n`, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  })
}

/** Nothing has to be started anew. */
export const calm: RestartOut = {
  needed: false,
  available: true,
  complete: true,
  changes: [],
  manual: [],
  hosts: [],
}

/** A server with two painters in use and one that is not. */
export const studio = {
  'GET /api/auth/user': admin,
  'GET /api/admin/instances': [
    oils,
    instance({ id: 'inks', label: 'Inks' }),
    instance({ id: 'chalk', label: 'Chalk' }),
  ],
  'GET /api/admin/routes': [{ kind: 'image', instances: ['oils', 'inks'], userChoice: false, revision: 1 }],
  'GET /api/admin/providers': [painter],
  'GET /api/admin/health': [healthOf('oils')],
  'GET /api/admin/notices': [],
  'GET /api/admin/budgets': budgets,
  'GET /api/admin/restart': calm,
}
