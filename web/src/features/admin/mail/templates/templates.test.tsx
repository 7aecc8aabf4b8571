import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { office, template } from '../test-data'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const subject = () => screen.findByLabelText('Subject')
const body = () => screen.getByLabelText<HTMLTextAreaElement>('HTML body')
const save = () => screen.getByRole('button', { name: 'Save' })

describe('the templates', () => {
  it('are three, each on a tab that the address remembers', async () => {
    const user = userEvent.setup()
    const { router } = renderApp('/admin/email-templates', office)
    expect(await subject()).toHaveValue('The signup subject')
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Welcome',
      'Broadcast',
      'Marketing',
    ])
    await user.click(screen.getByRole('tab', { name: 'Marketing' }))
    await waitFor(async () => expect(await subject()).toHaveValue('The marketing subject'))
    expect(router.state.location.search).toEqual({ template: 'marketing' })
    expect(screen.getByRole('tab', { name: 'Marketing' })).toHaveAttribute('aria-selected', 'true')
  })

  it('are saved with their stream and whether they are sent', async () => {
    const user = userEvent.setup()
    const saved = template('signup', { subject: 'Hello', isActive: false })
    const { requests } = renderApp('/admin/email-templates', {
      ...office,
      'PUT /api/admin/email-templates/signup': saved,
    })
    await user.clear(await subject())
    expect(save()).toBeEnabled()
    await user.type(await subject(), 'Hello')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    await user.click(screen.getByRole('switch', { name: 'Send this email' }))
    await user.click(save())
    await waitFor(() => expect(save()).toBeDisabled())
    const { variables: _, templateType: __, ...sent } = saved
    expect(requests.find(({ call }) => call.startsWith('PUT'))?.body).toEqual(sent)
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('that go to many have the broadcast stream, the welcome has the single one', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-templates', office)
    await subject()
    expect(screen.getByLabelText('Message stream')).toHaveValue('outbound')
    expect(screen.getByRole('option', { name: 'Bulk messages (broadcast)' })).toBeDisabled()
    await user.click(screen.getByRole('tab', { name: 'Broadcast' }))
    await waitFor(() => expect(screen.getByLabelText('Message stream')).toHaveValue('broadcast'))
    expect(screen.queryByRole('switch', { name: 'Send this email' })).toBeNull()
  })

  it('need a subject and a text', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-templates', office)
    await user.clear(await subject())
    await user.clear(body())
    await user.click(save())
    expect(await screen.findByText('Please fill in all required fields')).toBeVisible()
    expect(await subject()).toHaveAccessibleDescription('This field is required.')
    expect(body()).toHaveAccessibleDescription('This field is required.')
    expect(requests.some(({ call }) => call.startsWith('PUT'))).toBe(false)
  })

  it('tell what the server objects to, at its field', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-templates', {
      ...office,
      'PUT /api/admin/email-templates/signup': new Refusal(422, 'No such variable.', { htmlBody: 'No such variable.' }),
    })
    await user.type(await subject(), '!')
    await user.click(save())
    expect(await screen.findByText('Failed to update template')).toBeVisible()
    expect(body()).toHaveAccessibleDescription('No such variable.')
    expect(save()).toBeEnabled()
  })

  it('take a variable where the cursor was last', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-templates', office)
    const input = await subject()
    await user.clear(input)
    await user.type(input, 'Hello ')
    await user.click(screen.getByRole('button', { name: /First name/ }))
    expect(input).toHaveValue('Hello {{firstName}}')
    await user.click(body())
    body().setSelectionRange(0, 0)
    await user.click(screen.getByRole('button', { name: /Email address/ }))
    expect(body()).toHaveValue('{{email}}<p>The signup text</p>')
  })

  it('are shown while they are written, in a frame in which nothing runs', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-templates', office)
    await subject()
    const preview = screen.getByRole('region', { name: 'Preview' })
    const frame = await within(preview).findByTitle('Preview')
    expect(frame).toHaveAttribute('sandbox', 'allow-same-origin')
    expect(frame).toHaveAttribute('srcdoc', '<html><body><p>The signup text</p></body></html>')
    await user.type(body(), ' and more')
    await waitFor(() => expect(frame).toHaveAttribute('srcdoc', expect.stringContaining(' and more')))
    // not once for each letter
    expect(requests.filter(({ call }) => call.endsWith('/preview')).length).toBeLessThan(5)
    await user.click(within(preview).getByRole('radio', { name: 'Plain text' }))
    expect(await within(preview).findByText(/^plain: .* and more/)).toBeVisible()
  })

  it('say in the place of the preview what is wrong', async () => {
    renderApp('/admin/email-templates', {
      ...office,
      'POST /api/admin/email-templates/preview': new Refusal(422, 'No.', { subject: 'There is no {{x}}.' }),
    })
    expect(await screen.findByText('There is no {{x}}.')).toBeVisible()
    expect(screen.queryByTitle('Preview')).toBeNull()
  })

  it('keep what is typed while they are saved', async () => {
    const user = userEvent.setup()
    let answer = (_: unknown) => {}
    renderApp('/admin/email-templates?template=marketing', {
      ...office,
      'PUT /api/admin/email-templates/marketing': () => new Promise((resolve) => (answer = resolve)),
    })
    await user.type(await subject(), ' ')
    await user.type(screen.getByLabelText('Reply-to'), 'x')
    await user.selectOptions(screen.getByLabelText('Message stream'), 'broadcast')
    await user.click(save())
    await user.type(body(), '!')
    answer(template('marketing', { replyTo: 'desk@example.orgx' }))
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(body()).toHaveValue('<p>The marketing text</p>!')
    expect(await subject()).toHaveValue('The marketing subject')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    expect(save()).toBeEnabled()
    await user.type(body(), '{Backspace}')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('are not left behind unsaved without a question', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-templates', office)
    await user.type(await subject(), '!')
    await user.click(screen.getByRole('tab', { name: 'Marketing' }))
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(await subject()).toHaveValue('The signup subject!')
    await user.click(screen.getByRole('tab', { name: 'Marketing' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Leave without saving?' })).getByRole('button', {
        name: 'Leave',
      }),
    )
    await waitFor(async () => expect(await subject()).toHaveValue('The marketing subject'))
  })

  it('can be asked for again when they could not be read', async () => {
    renderApp('/admin/email-templates', {
      ...office,
      'GET /api/admin/email-templates/signup': new Refusal(503, 'Away.', undefined, 'unavailable'),
    })
    expect(await screen.findByText('This could not be loaded')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

describe('a test of a template', () => {
  const open = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('button', { name: 'Send test' }))
    return within(await screen.findByRole('dialog', { name: 'Send a test email' }))
  }

  it('goes to the administrator’s own address unless another is given', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-templates?template=marketing', {
      ...office,
      'POST /api/admin/email/test': { state: 'sent', detail: '' },
    })
    const dialog = await open(user)
    expect(dialog.getByLabelText('Template')).toHaveValue('marketing')
    expect(dialog.getByLabelText('To')).toHaveValue('ada@example.com')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await dialog.findByText('It was handed over to the email service.')).toBeVisible()
    expect(requests.at(-1)?.body).toEqual({ templateType: 'marketing', toEmail: 'ada@example.com' })
  })

  it('needs an address and a template', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-templates', office)
    const dialog = await open(user)
    await user.clear(dialog.getByLabelText('To'))
    await user.selectOptions(dialog.getByLabelText('Template'), '')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(dialog.getByLabelText('To')).toHaveAccessibleDescription('This field is required.')
    expect(dialog.getByLabelText('Template')).toHaveAccessibleDescription('This field is required.')
    expect(requests.some(({ call }) => call === 'POST /api/admin/email/test')).toBe(false)
  })

  it('says when it was not sent', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-templates', {
      ...office,
      'POST /api/admin/email/test': new Refusal(503, 'Away.', undefined, 'unavailable'),
    })
    const dialog = await open(user)
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Failed to send test email')).toBeInTheDocument()
  })
})
