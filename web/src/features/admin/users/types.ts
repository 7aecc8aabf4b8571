/** Which dialog about a user is open: their profile, resigning as administrator, or deleting the account. */
export type UserDialog = 'profile' | 'resign' | 'delete'
