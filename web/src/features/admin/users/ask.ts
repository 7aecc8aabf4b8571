/** What a dialog about somebody is for: their profile, giving up one's own rights, or deleting the account. */
export type Ask = 'profile' | 'resign' | 'delete'
