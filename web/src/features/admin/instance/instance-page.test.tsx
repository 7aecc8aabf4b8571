import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { badCheck, goodCheck, instance, oils, painter, streamed, studio } from '../test-data'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const CHECK = 'POST /api/admin/instances/check'
const CHANGE = 'PATCH /api/admin/instances/oils'
const save = () => screen.getByRole('button', { name: 'Save' })
const model = () => screen.findByRole('combobox', { name: 'Model' })

async function typeModel(user: ReturnType<typeof userEvent.setup>, text: string) {
  await user.clear(await model())
  await user.type(await model(), text)
}

describe('the form of a provider', () => {
  it('has a control for every type its schema can have', async () => {
    renderApp('/admin/providers/oils', studio)
    expect(await model()).toHaveValue('oil-1')
    expect(screen.getByRole('combobox', { name: 'Quality' })).toHaveValue('high')
    expect(screen.getByRole('textbox', { name: 'Layers' })).toHaveValue('3')
    expect(screen.getByRole('switch', { name: 'Signed' })).toBeChecked()
    expect(screen.getByRole('textbox', { name: 'Colors', hidden: true })).toHaveValue('')
    expect(screen.getByRole('link', { name: /Where to find it/ })).toHaveAttribute('href', 'https://keys.example/')
  })

  it('hides what has nothing to say', async () => {
    const user = userEvent.setup()
    renderApp('/admin/providers/oils', studio)
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Quality' }), 'low')
    expect(screen.queryByRole('textbox', { name: 'Layers' })).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Quality' }), 'high')
    expect(screen.getByRole('textbox', { name: 'Layers' })).toBeVisible()
  })

  it('shows what the environment decides, with the variable, and lets nobody change it', async () => {
    renderApp('/admin/providers/oils', studio)
    const signed = await screen.findByRole('switch', { name: 'Signed' })
    expect(signed).toBeDisabled()
    expect(signed).toHaveAccessibleDescription('Set by the environment variable PAINTER_SIGNED.')
  })

  it('keeps, replaces or removes a secret, and never shows it', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/oils', {
      ...studio,
      [CHECK]: () => streamed(goodCheck),
      [CHANGE]: oils,
    })
    const key = await screen.findByRole('textbox', { name: 'API key' })
    expect(key).toHaveValue('Set, ends with …4f2a')
    expect(key).toHaveAttribute('readonly')

    await user.click(screen.getByRole('button', { name: 'Remove' }))
    expect(screen.getByRole('textbox', { name: 'API key' })).toHaveValue('Will be removed')
    await user.click(screen.getByRole('button', { name: 'Keep the old one' }))
    expect(save()).toBeDisabled()

    await user.click(screen.getByRole('button', { name: 'Replace' }))
    const fresh = screen.getByLabelText('API key')
    expect(fresh).toHaveAttribute('type', 'password')
    await user.type(fresh, 'sesame-open')
    await user.click(save())
    await waitFor(() =>
      expect(requests).toContainEqual({
        call: CHANGE,
        body: { settings: { key: 'sesame-open' }, checkToken: 'proof', force: false },
      }),
    )
    expect(await screen.findByDisplayValue('Set, ends with …4f2a')).toBeVisible()
    expect(document.body.innerHTML).not.toContain('sesame-open')
  })

  it('says everything that is wrong at once, each at its field', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/oils', studio)
    await user.clear(await model())
    await user.clear(screen.getByRole('textbox', { name: 'Layers' }))
    await user.type(screen.getByRole('textbox', { name: 'Layers' }), '12')
    await user.click(save())
    expect(await model()).toHaveAccessibleDescription('This field is required.')
    expect(screen.getByRole('textbox', { name: 'Layers' })).toHaveAccessibleDescription('At most 9.')
    expect(requests.map(({ call }) => call)).not.toContain(CHECK)
  })

  it('asks for the secrets again when the address changes', async () => {
    const user = userEvent.setup()
    renderApp('/admin/providers/oils', studio)
    await user.click(await screen.findByText('Advanced'))
    const address = screen.getByRole('textbox', { name: 'Address' })
    await user.clear(address)
    await user.type(address, 'https://b.example')
    await user.click(save())
    expect(await screen.findByText('Enter it again, because the address changed.')).toBeVisible()
  })

  it('puts the server’s objections to their fields', async () => {
    const user = userEvent.setup()
    const problems = { model: 'This model does not exist.', address: 'Not reachable.' }
    const report = { ...badCheck, steps: [], problems }
    renderApp('/admin/providers/oils', { ...studio, [CHECK]: () => streamed(report) })
    await typeModel(user, 'chalk-9')
    await user.click(save())
    await waitFor(async () => expect(await model()).toHaveAccessibleDescription('This model does not exist.'))
    expect(await screen.findByText('Not reachable.')).toBeVisible()
    expect(screen.getByText('Not tested: some settings are not valid yet.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('saves a name without a test', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/oils', { ...studio, [CHANGE]: oils })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' and varnish')
    await user.click(save())
    await waitFor(() => expect(requests).toContainEqual({ call: CHANGE, body: { label: 'Oils and varnish' } }))
    expect(requests.map(({ call }) => call)).not.toContain(CHECK)
  })
})

describe('a webhook that can be set up from here', () => {
  const till = {
    ...painter,
    kind: 'payment' as const,
    schema: {
      type: 'object',
      required: [],
      properties: {
        hook: {
          title: 'Webhook secret',
          anyOf: [{ type: 'string', writeOnly: true, format: 'password' }, { type: 'null' }],
          default: null,
          'x-webhook-secret': true,
        },
      },
    },
  }
  const unset = { set: false, hint: null, source: 'default', updatedAt: null }
  const open = instance({ id: 'oils', kind: 'payment', capabilities: {}, secrets: { hook: unset } })
  const shop = { ...studio, 'GET /api/admin/providers': [till], 'GET /api/admin/webhooks/last': [] }
  const SET_UP = 'POST /api/admin/instances/oils/webhook'

  it('is set up by a click, and shown as set', async () => {
    const user = userEvent.setup()
    const proven = { ...open, webhookUrl: 'https://covers.example/hook', secrets: { hook: { ...unset, set: true } } }
    let answer = open
    const { requests } = renderApp('/admin/providers/oils', {
      ...shop,
      'GET /api/admin/instances': () => [answer],
      [SET_UP]: () => {
        answer = proven
        return proven
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Set up webhook' }))
    expect(await screen.findByRole('button', { name: 'Set up again' })).toBeVisible()
    expect(screen.getByDisplayValue('https://covers.example/hook')).toBeVisible()
    expect(requests.filter(({ call }) => call === SET_UP)).toHaveLength(1)
  })

  it('leaves what was typed meanwhile, and says that it is unsaved', async () => {
    const user = userEvent.setup()
    let answer = open
    renderApp('/admin/providers/oils', {
      ...shop,
      'GET /api/admin/instances': () => [answer],
      [SET_UP]: () => {
        answer = { ...open, revision: 2, secrets: { hook: { ...unset, set: true } } }
        return answer
      },
    })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' and coins')
    await user.click(screen.getByRole('button', { name: 'Set up webhook' }))
    expect(await screen.findByDisplayValue('Set')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('oils and coins')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    expect(save()).toBeEnabled()
    // typed back to what is kept
    await user.clear(screen.getByRole('textbox', { name: 'Name' }))
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'oils')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('says what the vendor refused', async () => {
    const user = userEvent.setup()
    const refusal = new Refusal(409, 'Stripe refused: the address is not public.')
    renderApp('/admin/providers/oils', { ...shop, 'GET /api/admin/instances': [open], [SET_UP]: refusal })
    await user.click(await screen.findByRole('button', { name: 'Set up webhook' }))
    expect(await screen.findByText('Stripe refused: the address is not public.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Set up webhook' })).toBeEnabled()
  })

  it('is not offered where the operator has set the secret', async () => {
    const locked = { ...open, secrets: { hook: { ...unset, set: true, source: 'STRIPE_WEBHOOK_SECRET' } } }
    renderApp('/admin/providers/oils', { ...shop, 'GET /api/admin/instances': [locked] })
    expect(await screen.findByText('Webhook secret')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Set up/ })).toBeNull()
  })
})

describe('the test of a connection', () => {
  it('shows its steps, and suggests what would work', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/oils', { ...studio, [CHECK]: () => streamed(goodCheck) })
    await user.click(await screen.findByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText('Key accepted')).toBeVisible()
    expect(screen.getByText('The test passed in 120 ms.')).toBeVisible()
    expect(requests).toContainEqual({
      call: CHECK,
      body: { kind: 'image', provider: 'painter', id: 'oils', settings: {} },
    })
    const list = document.getElementById((await model()).getAttribute('list') ?? '')
    expect([...(list?.children ?? [])].map((option) => option.getAttribute('value'))).toEqual(['oil-1', 'oil-2'])
  })

  it('leads from a failed step to its setting', async () => {
    const user = userEvent.setup()
    renderApp('/admin/providers/oils', { ...studio, [CHECK]: () => streamed(badCheck) })
    await user.click(await screen.findByRole('button', { name: 'Test connection' }))
    await user.click(await screen.findByRole('button', { name: 'Go to the setting' }))
    const key = screen.getByRole('textbox', { name: 'API key' })
    expect(key).toHaveFocus()
    expect(key).toHaveAccessibleDescription('Refused. Where to find it')
  })

  it('comes before saving; what fails it is saved only against a warning', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/oils', {
      ...studio,
      [CHECK]: () => streamed(badCheck),
      [CHANGE]: oils,
    })
    await typeModel(user, 'oil-2')
    await user.click(save())
    const dialog = within(await screen.findByRole('dialog', { name: 'Save without a successful test?' }))
    expect(requests.map(({ call }) => call)).not.toContain(CHANGE)
    await user.click(dialog.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() =>
      expect(requests).toContainEqual({
        call: CHANGE,
        body: { settings: { model: 'oil-2' }, checkToken: null, force: true },
      }),
    )
  })

  it('that went well is not repeated for saving', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/oils', {
      ...studio,
      [CHECK]: () => streamed(goodCheck),
      [CHANGE]: oils,
    })
    await typeModel(user, 'oil-2')
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    await screen.findByText('The test passed in 120 ms.')
    await user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(requests.filter(({ call }) => call === CHECK)).toHaveLength(1)
  })

  it('that cannot be made says why', async () => {
    const user = userEvent.setup()
    renderApp('/admin/providers/oils', { ...studio, [CHECK]: new Refusal(429, 'Please wait a minute.') })
    await user.click(await screen.findByRole('button', { name: 'Test connection' }))
    expect(await screen.findByText('Please wait a minute.')).toBeVisible()
  })
})

describe('unsaved changes', () => {
  it('are not lost without a question', async () => {
    const user = userEvent.setup()
    const { router } = renderApp('/admin/providers/oils', studio)
    await typeModel(user, 'oil-2')
    void router.navigate({ to: '/admin/plugins' })
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(router.state.location.pathname).toBe('/admin/providers/oils')
    expect(await model()).toHaveValue('oil-2')
    void router.navigate({ to: '/admin/plugins' })
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/plugins'))
  })
})

describe('a new provider', () => {
  it('is tested, made and opened', async () => {
    const user = userEvent.setup()
    const made = { ...oils, id: 'oils-2', label: 'More oils' }
    const { requests, router } = renderApp('/admin/providers/new?kind=image&provider=painter', {
      ...studio,
      [CHECK]: () => streamed(goodCheck),
      'POST /api/admin/instances': () => Response.json(made, { status: 201 }),
    })
    await user.clear(await screen.findByRole('textbox', { name: 'Name' }))
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'More oils')
    await user.type(await model(), 'oil-1')
    await user.type(screen.getByLabelText('API key'), 'sesame')
    await user.click(save())
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/providers/oils-2'))
    expect(requests).toContainEqual({
      call: 'POST /api/admin/instances',
      body: {
        kind: 'image',
        provider: 'painter',
        label: 'More oils',
        id: null,
        settings: { key: 'sesame', model: 'oil-1' },
        firstInRoute: false,
        checkToken: 'proof',
        force: false,
      },
    })
  })

  it.each([
    ['Use it first', 'the artist that was there from the start', true],
    ['Keep it as a stand-in', 'a service that administrators chose', false],
  ])('suggests “%s” beside %s', async (chosen, _, offline) => {
    const start = { ...painter, id: 'start', offline: true }
    renderApp('/admin/providers/new?kind=image&provider=painter', {
      ...studio,
      'GET /api/admin/providers': [painter, start],
      'GET /api/admin/instances': [{ ...oils, provider: offline ? 'start' : 'painter' }],
    })
    const place = within(await screen.findByRole('group', { name: 'Place in the order' }))
    expect(place.getByRole('radio', { checked: true })).toHaveAccessibleName(expect.stringContaining(chosen))
    expect(place.getByText(/“Oils” keeps doing the work/)).toBeVisible()
  })

  it('is put first when administrators say so', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/providers/new?kind=image&provider=painter', {
      ...studio,
      [CHECK]: () => streamed(goodCheck),
      'POST /api/admin/instances': () => Response.json({ ...oils, id: 'oils-2' }, { status: 201 }),
    })
    await user.type(await model(), 'oil-1')
    await user.click(screen.getByRole('radio', { name: /Use it first/ }))
    await user.click(save())
    await waitFor(() =>
      expect(requests).toContainEqual({
        call: 'POST /api/admin/instances',
        body: expect.objectContaining({ firstInRoute: true }),
      }),
    )
  })

  it('says that people choose among ways to sign in, and that the first of a kind is used at once', async () => {
    const door = { ...painter, kind: 'signin' as const, id: 'door' }
    const drawer = { ...painter, kind: 'storage' as const, id: 'drawer' }
    const providers = { ...studio, 'GET /api/admin/providers': [door, drawer] }
    const { router } = renderApp('/admin/providers/new?kind=signin&provider=door', providers)
    expect(await screen.findByText('People can choose it as soon as it is saved.')).toBeVisible()
    void router.navigate({ to: '/admin/providers/new', search: { kind: 'storage', provider: 'drawer' } })
    expect(await screen.findByText('It is the first of its kind here, and is used at once.')).toBeVisible()
  })

  it('may not be called like a page', async () => {
    const user = userEvent.setup()
    renderApp('/admin/providers/new?kind=image&provider=painter', studio)
    await user.type(await screen.findByRole('textbox', { name: 'ID' }), 'new')
    await user.type(await model(), 'oil-1')
    await user.click(save())
    expect(await screen.findByText(/“new” is reserved/)).toBeVisible()
  })
})
