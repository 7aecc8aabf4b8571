import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { currentToast, dismissToast, TOAST_DURATION, TOAST_REMOVE_DELAY, toast } from './toast-store'
import Toaster from './toaster'

afterEach(() => vi.useRealTimers())

describe('toasts', () => {
  it('show one at a time, and the latest', async () => {
    render(<Toaster />)
    act(() => toast({ title: 'First' }))
    expect(await screen.findByText('First')).toBeVisible()
    act(() => toast({ title: 'Second', description: 'More', variant: 'destructive' }))
    expect(await screen.findByText('Second')).toBeVisible()
    expect(screen.queryByText('First')).toBeNull()
  })

  it('tell a success from a failure by look and by mark', async () => {
    render(<Toaster />)
    act(() => toast({ title: 'Done' }))
    const done = (await screen.findByText('Done')).closest('[data-variant]')
    expect(done).toHaveAttribute('data-variant', 'default')
    expect(done?.querySelector('svg')).toHaveClass('text-ok')
    act(() => toast({ title: 'Not done', variant: 'destructive' }))
    const failed = (await screen.findByText('Not done')).closest('[data-variant]')
    expect(failed).toHaveAttribute('data-variant', 'destructive')
    expect(failed?.querySelector('svg')).toHaveClass('text-danger')
  })

  it('take the focus on F8 and go when closed', async () => {
    const user = userEvent.setup()
    render(<Toaster />)
    act(() => toast({ title: 'Here' }))
    expect(await screen.findByText('Here')).toBeVisible()
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    expect(screen.getByRole('region', { name: /notifications/i })).toContainElement(
      document.activeElement as HTMLElement,
    )
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByText('Here')).toBeNull()
  })

  it('go by themselves after five seconds', () => {
    vi.useFakeTimers()
    render(<Toaster />)
    act(() => toast({ title: 'Briefly' }))
    expect(TOAST_DURATION).toBe(5_000)
    act(() => void vi.advanceTimersByTime(4_900))
    expect(currentToast()).toMatchObject({ title: 'Briefly', open: true })
    act(() => void vi.advanceTimersByTime(200))
    expect(currentToast()).toMatchObject({ title: 'Briefly', open: false })
  })

  it('are forgotten a thousand seconds after they closed', () => {
    vi.useFakeTimers()
    toast({ title: 'Old' })
    dismissToast()
    expect(TOAST_REMOVE_DELAY).toBe(1_000_000)
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY - 1)
    expect(currentToast()?.title).toBe('Old')
    vi.advanceTimersByTime(1)
    expect(currentToast()).toBeUndefined()
  })

  it('offer one thing to do', async () => {
    const undo = vi.fn()
    const user = userEvent.setup()
    render(<Toaster />)
    act(() => toast({ title: 'Deleted', action: { label: 'Undo', onClick: undo } }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(undo).toHaveBeenCalledOnce()
  })

  it.each(['pointer', 'keyboard'])('go by themselves after the one before was undone by the %s', (by) => {
    vi.useFakeTimers()
    const deleteButton = document.body.appendChild(document.createElement('button'))
    deleteButton.focus()
    render(<Toaster />)
    act(() => toast({ title: 'Deleted', action: { label: 'Undo', onClick: () => undefined } }))
    const undo = screen.getByRole('button', { name: 'Undo' })
    if (by === 'pointer') fireEvent.pointerMove(undo)
    else act(() => undo.focus())
    fireEvent.click(undo)
    expect(deleteButton).toHaveFocus()
    act(() => toast({ title: 'Restored' }))
    act(() => void vi.advanceTimersByTime(TOAST_DURATION))
    expect(currentToast()).toMatchObject({ title: 'Restored', open: false })
    deleteButton.remove()
  })
})
