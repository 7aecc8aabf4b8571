import { beforeEach, describe, expect, it, vi } from 'vitest'
import { promptDraft, sizeDraft } from '@/lib/tab-draft'
import { emptyBrief } from './brief'
import { loadDraft, saveDraft, takeOverDraft } from './brief-draft'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const brief = { ...emptyBrief, prompt: 'A lighthouse', title: 'Saltmarsh', dimensions: '8x8' as const }

describe('the draft', () => {
  it('is empty at first', () => expect(loadDraft()).toEqual(emptyBrief))

  it('survives a reload', () => {
    saveDraft(brief)
    expect(loadDraft()).toEqual(brief)
  })

  it('leaves nothing behind when everything is cleared', () => {
    saveDraft(brief)
    saveDraft(emptyBrief)
    expect(localStorage.length).toBe(0)
  })

  it('has what was typed on the landing page, however often it is loaded before it is shown', () => {
    const both = { ...brief, prompt: 'A quiet sea', genre: 'Mystery' }
    saveDraft(brief)
    promptDraft.save({ prompt: 'A quiet sea', genre: 'Mystery' })
    expect(loadDraft()).toEqual(both)
    expect(loadDraft()).toEqual(both)
    takeOverDraft(loadDraft())
    expect(promptDraft.read()).toBeUndefined()
    expect(loadDraft()).toEqual(both)
  })

  it('is in the size that was calculated with, until it is taken over', () => {
    sizeDraft.save({ width: '6', height: '9.0' })
    expect(loadDraft().dimensions).toBe('6x9')
    sizeDraft.save({ width: '5,06', height: '7.81' })
    expect(loadDraft()).toMatchObject({ dimensions: 'custom', customWidth: '5,06', customHeight: '7.81' })
    takeOverDraft(loadDraft())
    saveDraft(emptyBrief)
    expect(loadDraft()).toEqual(emptyBrief)
  })

  it('keeps what it understands of a draft from another version', () => {
    localStorage.setItem('generator-draft', '{"title":"Saltmarsh","prompt":7,"dimensions":"a4","mood":"dark"}')
    expect(loadDraft()).toEqual({ ...emptyBrief, title: 'Saltmarsh' })
  })

  it('begins anew after a draft that cannot be read', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    localStorage.setItem('generator-draft', '{"title":')
    expect(loadDraft()).toEqual(emptyBrief)
  })
})
