-- Replaced by message_counts and its marks. No code has read or written them since.
drop table message_slots, message_slot_marks;
