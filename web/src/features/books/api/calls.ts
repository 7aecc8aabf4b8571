import type {
  BookLine,
  BookOut,
  ChangeBookData,
  CreateBookData,
  CreatePackData,
  DeleteBookData,
  DeleteBookPictureData,
  DeleteEditionData,
  DeletePackData,
  EditionPreview,
  FormOut,
  GetBookData,
  GetPackData,
  ListBookFormsData,
  ListBooksData,
  PackOut,
  PreviewEditionData,
  RestoreBookData,
  SaveBookPictureData,
  SaveEditionData,
} from '@/api/generated'
import { client } from '@/api/generated/client.gen'

/*
 * The calls about books: addresses and shapes are those of the generated client, whose functions would stand in what
 * every visitor loads first.
 */

type Call = { url: string; path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
type Asked<T extends Call> = Omit<T, 'url'> & { signal?: AbortSignal }
const JSON_BODY = { headers: { 'Content-Type': 'application/json' }, throwOnError: true } as const

const get =
  <T extends Call, R>(url: T['url']) =>
  (asked: Asked<T>) =>
    client.get<{ 200: R }, unknown, true>({ url, throwOnError: true, ...asked })

const send =
  <T extends Call, R>(method: 'post' | 'put' | 'patch', url: T['url']) =>
  (asked: Asked<T>) =>
    client[method]<{ 200: R }, unknown, true>({ url, ...JSON_BODY, ...asked })

const remove =
  <T extends Call, R>(url: T['url']) =>
  (asked: Asked<T>) =>
    client.delete<{ 200: R }, unknown, true>({ url, throwOnError: true, ...asked })

export const listBooks = get<ListBooksData, BookLine[]>('/api/books')
export const listForms = get<ListBookFormsData, FormOut[]>('/api/books/forms')
export const getBook = get<GetBookData, BookOut>('/api/books/{book_id}')
export const previewEdition = get<PreviewEditionData, EditionPreview>('/api/books/{book_id}/editions/{name}/preview')
export const getPack = get<GetPackData, PackOut>('/api/packs/{pack_id}')
export const createBook = send<CreateBookData, BookOut>('post', '/api/books')
export const changeBook = send<ChangeBookData, BookOut>('patch', '/api/books/{book_id}')
export const restoreBook = send<RestoreBookData, BookOut>('post', '/api/books/{book_id}/restore')
export const saveEdition = send<SaveEditionData, BookOut>('put', '/api/books/{book_id}/editions/{name}')
export const savePicture = send<SaveBookPictureData, BookOut>('put', '/api/books/{book_id}/pictures/{picture}')
export const createPack = send<CreatePackData, PackOut>('post', '/api/books/{book_id}/pack')
export const deleteBook = remove<DeleteBookData, undefined>('/api/books/{book_id}')
export const deleteEdition = remove<DeleteEditionData, BookOut>('/api/books/{book_id}/editions/{name}')
export const deletePicture = remove<DeleteBookPictureData, BookOut>('/api/books/{book_id}/pictures/{picture}')
export const deletePack = remove<DeletePackData, undefined>('/api/packs/{pack_id}')
